/**
 * Bundles the compiled program (`dist/src`) into `dist/bundle`, which `bin/enterprise-search.js` starts. Node then
 * reads a few files instead of several hundred, so the program starts in about half the time. Run by `npm run build`.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** Names the file of SQLite's native code, for which every thread would otherwise search some dozen places. */
const nativeSqlite = {
  name: "native SQLite",
  setup(bundled) {
    bundled.onResolve({ filter: /^bindings$/ }, ({ path }) => ({ path, namespace: "native" }));
    bundled.onLoad({ filter: /.*/, namespace: "native" }, () => ({
      contents: "module.exports = (file) => require(`better-sqlite3/build/Release/${file}`);",
    }));
  },
};

/** The entry of every worker thread. The bundle is one flat folder, so a thread lies beside what starts it. */
function threadEntries() {
  const started = /new URL\("([^"]+\.js)", import\.meta\.url\)/g;
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const entries = files.flatMap((file) =>
    [...readFileSync(join("src", file), "utf8").matchAll(started)].map(([, thread]) => {
      if (dirname(thread) !== ".") throw new Error(`src/${file} starts ${thread}: move the thread's file beside it.`);
      return join("dist/src", dirname(file), thread);
    }),
  );
  return [...new Set(entries)];
}

/**
 * Read from their own folders: they load native code, or find WebAssembly or data beside themselves. Only the children
 * that read files load them, and whoever hashes a password.
 */
const withFilesOfTheirOwn = [
  "7z-wasm",
  "heic-decode",
  "pdfjs-dist",
  "tesseract.js-core",
  "@tesseract.js-data/*",
  "@napi-rs/canvas",
  "@node-rs/argon2",
];

/**
 * Each for itself: what they have in common would be dozens of small files, and a thread takes nothing from another one
 * but pays for every file that it opens.
 */
async function bundleInto(outdir, ...entries) {
  await Promise.all(entries.map((entry) => bundleEntry(outdir, entry)));
}

async function bundleEntry(outdir, entry) {
  await build({
    entryPoints: [entry],
    outdir,
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: withFilesOfTheirOwn,
    plugins: [nativeSqlite],
    minifySyntax: true,
    minifyWhitespace: true,
    inject: ["build/stackTraces.js"],
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    logLevel: "warning",
    banner: {
      // CommonJS packages load Node's own modules with `require`, which an ES module does not have.
      js: 'import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);',
    },
  });
}

const [shipped, tested] = ["dist/bundle", "dist/test/bundle"];
for (const folder of [shipped, tested]) rmSync(folder, { recursive: true, force: true });
await bundleInto(shipped, ...threadEntries());
// Tests start this one dozens of times. It is compiled where tests are.
const startedByTests = "dist/test/rebuild/rebuildingProcess.js";
if (existsSync(startedByTests)) {
  cpSync(shipped, tested, { recursive: true });
  await bundleInto(tested, startedByTests);
}
await bundleInto(shipped, "dist/src/cli/main.js");
