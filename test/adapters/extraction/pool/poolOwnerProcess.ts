import { writeSync } from "node:fs";
import { ExtractionPool } from "../../../../src/adapters/extraction/pool/extractionPool.js";
import { carriedString } from "../../../../src/shared/carriedText.js";

/** Has a file read that makes its process do this, and tells the process's id before. */
const [deed = ""] = process.argv.slice(2);
const pool = new ExtractionPool({
  limits: { maxCharacters: 1_000, ocrLanguages: null },
  ...{ timeoutMs: 600_000, memoryMb: 256, concurrency: 1, maxWaiting: 1 },
  entry: new URL("./misbehavingProcess.js", import.meta.url),
});
const read = (name: string) => pool.extract({ content: Buffer.from("x"), mimeType: "text/plain", charset: null, name });
const found = await read("pid");
writeSync(1, `${found.kind === "text" ? carriedString(found.text) : "none"}\n`);
await read(deed);
setInterval(() => undefined, 1_000);
