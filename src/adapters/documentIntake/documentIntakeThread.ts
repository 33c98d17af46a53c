import { readFileSync } from "node:fs";
import type { IndexDocument } from "../../../commands/commands.js";
import { serveThread, Transferred } from "../threads/serveThread.js";
import {
  checkLargeDocuments,
  readDocument,
  type CheckedDocuments,
  type CheckedDocument,
  type ValueRules,
} from "../../api/documentIntake.js";
import { contentReference } from "../../events/contents.js";
import { carriedString, carry } from "../../shared/carriedText.js";
import { lowerThreadPriority } from "../../shared/priority.js";
import type { Result } from "../../shared/result.js";
import type { Issue } from "../../http/validation/issue.js";

export interface BodyToOpen {
  /** The path of the file that holds the body. */
  readonly path: string;
  readonly maxBinaryBytes: number;
}

export interface NextDocuments {
  readonly documents: readonly CheckedDocument[];
  readonly done: boolean;
}

/** Text that goes to the main thread at once: what takes it about a millisecond to receive. */
const batchCharacters = 262_144;

const batchDocuments = 128;

let remaining: CheckedDocuments["messages"] = [];
const noRules: ValueRules = { maxBinaryBytes: 0, mayBeUnstorable: true };
let rules = noRules;

/** Checks a body and keeps its documents for `next`. One body at a time. */
function open({ path, maxBinaryBytes }: BodyToOpen): Result<CheckedDocuments["form"], readonly Issue[]> {
  remaining = [];
  const checked = checkLargeDocuments(readFileSync(path), maxBinaryBytes);
  if (!checked.ok) return checked;
  remaining = checked.value.messages;
  const { mayBeUnstorable, lifted } = checked.value;
  rules = { maxBinaryBytes, mayBeUnstorable, ...(lifted && { lifted }) };
  return { ok: true, value: checked.value.form };
}

/** The next few documents, made only now, so that not all texts are held twice. Files are not copied on their way. */
function next(): Transferred<NextDocuments> {
  const documents: CheckedDocument[] = [];
  const files: ArrayBuffer[] = [];
  let characters = 0;
  for (const message of remaining) {
    if (documents.length === batchDocuments || characters >= batchCharacters) break;
    const read = readDocument(message, rules);
    documents.push("document" in read ? { document: ready(read.document, files) } : read);
    characters += "document" in read && read.document.body.kind === "text" ? read.document.body.text.length : 0;
  }
  remaining = remaining.slice(documents.length);
  if (remaining.length === 0) rules = noRules;
  return new Transferred({ documents, done: remaining.length === 0 }, files);
}

/** Hashing a large text, or copying it or a file from thread to thread, would hold the main thread up. */
function ready(document: IndexDocument, files: ArrayBuffer[]): IndexDocument {
  const { body } = document;
  if (body.kind === "file") {
    const bytes = inOwnMemory(body.bytes);
    files.push(bytes.buffer);
    return { ...document, body: { ...body, bytes } };
  }
  if (body.kind !== "text") return document;
  const text = carriedString(body.text);
  return { ...document, body: { ...body, text: carry(text), content: contentReference(text) } };
}

/** Small ones share theirs with others. */
const inOwnMemory = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);

lowerThreadPriority("reading");
serveThread({ open, next, close: () => undefined });
