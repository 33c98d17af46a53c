import { writeSync } from "node:fs";
import { serveFiles } from "../../../../src/adapters/extraction/pool/serveFiles.js";
import { channel } from "../../../../src/adapters/extraction/pool/messages.js";

const never = new Promise<never>(() => setInterval(() => undefined, 1_000));
const held: unknown[] = [];

/** What the name of a file makes this process do. */
const deeds: Readonly<Record<string, () => unknown>> = {
  loop: () => {
    for (;;) held.length = 0;
  },
  wait: () => never,
  buffers: () => {
    for (;;) held.push(Buffer.alloc(4_194_304, 1));
  },
  heap: () => {
    for (;;) held.push(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  },
  exit: () => process.exit(0),
  signal: () => process.kill(process.pid, "SIGSEGV"),
  throwLater: () => {
    setTimeout(() => {
      throw new Error("Nobody catches this.");
    });
    return never;
  },
  reject: () => Promise.reject(new Error("The reader is broken.")),
  garbage: () => {
    writeSync(channel, Buffer.alloc(100_000, 0xee));
    return never;
  },
  garbledJson: () => {
    writeSync(channel, Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b]));
    return never;
  },
  pid: () => process.pid,
  environment: () => JSON.stringify(process.env),
  nul: () => "a\0b",
};

await serveFiles(async ({ bytes, name, mimeType }) => {
  const text = String((await deeds[name ?? ""]?.()) ?? bytes.toString());
  return { kind: "text", text, facts: { mimeType: mimeType ?? "text/plain" } };
});
