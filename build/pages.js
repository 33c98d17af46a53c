/**
 * Builds the pages of the dashboard into `dist/web`, and the types of the API that they call from the routes, so that a
 * page cannot drift from the API. Run by `npm run build`, after the program is compiled.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import openapiTypescript, { astToString } from "openapi-typescript";
import { build } from "vite";

const description = readFileSync("dist/openapi.json", "utf8");
const types = "dist/api/schema.d.ts";
const nodes = await openapiTypescript(description, { alphabetize: false });
mkdirSync("dist/api", { recursive: true });
writeIfChanged(types, `// Made from the routes by build/pages.js.\n${astToString(nodes)}`);
await build({ configFile: "web/vite.config.js" });
compressAll("dist/web");

/** Beside each file the same for browsers that take Brotli. */
function compressAll(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

/** An unchanged file keeps its time, so that the compiler need not look at it again. */
function writeIfChanged(file, text) {
  if (readOrEmpty(file) !== text) writeFileSync(file, text);
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
