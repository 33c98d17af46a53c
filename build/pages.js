/** Builds the pages of the dashboard into `dist/web`. Run by `npm run build`. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

await build({ configFile: "web/vite.config.js" });
copyWhatPdfsNeed("dist/web/assets");
compressAll("dist/web");

/**
 * What PDFs leave out, and the decoders of their images. The library asks for each by its name when a file needs it.
 */
function copyWhatPdfsNeed(assets) {
  for (const [folder, wanted] of [
    ["cmaps", /\.bcmap$/],
    ["standard_fonts", /\.(?:pfb|ttf)$/],
    ["wasm", /\.wasm$/],
  ])
    for (const name of readdirSync(`node_modules/pdfjs-dist/${folder}`).filter((each) => wanted.test(each)))
      copyFileSync(`node_modules/pdfjs-dist/${folder}/${name}`, join(assets, name));
}

/** Beside each file the same for browsers that take Brotli. */
function compressAll(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}
