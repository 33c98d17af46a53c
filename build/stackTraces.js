/**
 * Puts the lines of the TypeScript sources into stack traces. Every entry of the bundle runs this first. A source map
 * is read when a stack trace first needs it: Node's own `--enable-source-maps` reads all of them at start-up.
 */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const maps = new Map();

const packagesAround = (file) => file.split("/node_modules/").length;

/** null: this file has no source map. Those of packages are large, and may name sources that are no files. */
function sourceMapOf(file) {
  if (packagesAround(file) > packagesAround(import.meta.url)) return null;
  if (!maps.has(file)) maps.set(file, readSourceMap(file));
  return maps.get(file);
}

function readSourceMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), "utf8")));
  } catch {
    return null;
  }
}

/** A line of a stack trace, without its indentation. */
function describeFrame(frame) {
  const file = frame.getFileName();
  const line = frame.getLineNumber();
  const column = frame.getColumnNumber();
  if (!file?.startsWith("file:") || line === null || column === null) return String(frame);
  const { originalSource, originalLine, originalColumn } = sourceMapOf(file)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return String(frame);
  const source = fileURLToPath(new URL(originalSource, file));
  return String(frame).replace(`${file}:${line}:${column}`, `${source}:${originalLine + 1}:${originalColumn + 1}`);
}

if (!process.sourceMapsEnabled)
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${describeFrame(frame)}`)].join("\n");
