import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Extraction } from "../../../../commands/ports.js";
import { carriedBytes, carriedString } from "../../../shared/carriedText.js";
import { lowerProcessPriority } from "../../../shared/priority.js";
import { isUnstorable } from "../../../shared/texts.js";
import type { FileInMemory, ReadingLimits } from "../readFile.js";
import { readFrame, writeFrame, type Frame } from "./frames.js";
import {
  channel,
  mostKept,
  type AnswerHeader,
  type FileHeader,
  type ReadingState,
  type ReadingTerms,
} from "./messages.js";
import { Watchdog } from "./watchdog.js";

const noBytes = new Uint8Array();

interface Answered {
  readonly answer: AnswerHeader;
  readonly bytes: Uint8Array;
}

/**
 * Reads one file after the other for the process that started this one, until that has no more. Call it once, in a
 * process of its own.
 */
export async function serveFiles(
  read: (file: FileInMemory, limits: ReadingLimits) => Promise<Extraction>,
): Promise<void> {
  const { limits, memoryBytes } = JSON.parse(process.argv[2] ?? "") as ReadingTerms;
  // A terminal and an init system send these to every process of the service, which first answers what is under way.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  // Libraries leave promises behind of which nobody wants to know any more.
  process.on("unhandledRejection", () => undefined);
  const watchdog = new Watchdog(memoryBytes);
  lowerProcessPriority("reading");
  writeFrame(channel, stateNow(memoryBytes), noBytes);
  // Nothing here holds a file any more once it is answered.
  const answerNext = async (): Promise<Answered | null> => {
    const frame = readFrame(channel);
    return frame === null ? null : watchdog.during(() => answerTo(frame, (file) => read(file, limits)));
  };
  for (let answered = await answerNext(); answered !== null; answered = await answerNext())
    writeFrame(channel, { ...stateNow(memoryBytes), answer: answered.answer }, answered.bytes);
  process.exit();
}

/**
 * What it holds, without what a large file left, if that would be too much to go on with: another process in its place
 * would cost the service more, which stands still while it starts one.
 */
function stateNow(memoryBytes: number): ReadingState {
  if (process.memoryUsage.rss() > mostKept * memoryBytes) giveBack();
  return { rssBytes: process.memoryUsage.rss() };
}

/** Twice: buffers are freed beside the first collection, and the second one waits for that. */
function giveBack(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}

async function answerTo(
  { header, bytes }: Frame,
  read: (file: FileInMemory) => Promise<Extraction>,
): Promise<Answered> {
  const { path, ...said } = header as FileHeader;
  const content = path === undefined ? asBuffer(bytes) : contentOf(path);
  if (content === null)
    return { answer: { kind: "unextractable", reason: "The file is not there any more." }, bytes: noBytes };
  return answerOf(await read({ ...said, bytes: content }));
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function answerOf(extraction: Extraction): Answered {
  if (extraction.kind !== "text") return { answer: extraction, bytes: noBytes };
  const { text, facts } = extraction;
  if (isUnstorable(carriedString(text))) return { answer: { kind: "unstorable" }, bytes: noBytes };
  const bytes = carriedBytes(text);
  const content = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
  return { answer: { kind: "text", content, facts }, bytes };
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
