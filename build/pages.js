/** Builds the pages of the dashboard into `dist/web`. Run by `npm run build`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

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
