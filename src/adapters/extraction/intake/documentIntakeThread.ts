import type { IndexDocument } from "../../../../commands/commands.js";
import { textMediaTypes } from "../textMediaTypes.js";
import { serveThread } from "../../threads/serveThread.js";
import {
  checkDocuments,
  readDocument,
  type CheckedDocuments,
  type ReadDocument,
  type Reading,
} from "../../../http/body/documentIntake.js";
import type { Extraction, ExtractionRequest } from "../../../http/ports.js";
import { contentReference } from "../../../events/contentReference.js";
import { carriedString, carry } from "../../../shared/carriedText.js";
import type { Result } from "../../../shared/result.js";
import type { Issue } from "../../../http/validation/issue.js";

export interface BodyToOpen {
  /** The bytes, in order. */
  readonly blocks: readonly Uint8Array[];
  readonly maxBinaryBytes: number;
}

export interface NextDocuments {
  readonly documents: readonly ReadDocument[];
  readonly done: boolean;
}

/** Text that goes to the main thread at once: what takes it about a millisecond to receive. */
const batchCharacters = 262_144;
const batchDocuments = 128;

let remaining: CheckedDocuments["messages"] = [];
let reading: Reading = { extractor: textMediaTypes, maxBinaryBytes: 0, mayBeUnstorable: true };

/** Checks a body and keeps its documents for `next`. One body at a time. */
function open({ blocks, maxBinaryBytes }: BodyToOpen): Result<CheckedDocuments["form"], readonly Issue[]> {
  remaining = [];
  const checked = checkDocuments(Buffer.concat(blocks));
  if (!checked.ok) return checked;
  remaining = checked.value.messages;
  reading = { ...reading, maxBinaryBytes, mayBeUnstorable: checked.value.mayBeUnstorable };
  return { ok: true, value: checked.value.form };
}

/** The next few documents, extracted only now, so that not all texts are held twice. */
async function next(): Promise<NextDocuments> {
  const documents: ReadDocument[] = [];
  let characters = 0;
  for (const message of remaining) {
    if (documents.length === batchDocuments || characters >= batchCharacters) break;
    const read = await readDocument(message, reading);
    documents.push("document" in read ? { document: withContent(read.document) } : read);
    characters += "document" in read && read.document.body.kind === "text" ? read.document.body.text.length : 0;
  }
  remaining = remaining.slice(documents.length);
  return { documents, done: remaining.length === 0 };
}

/** Hashing a large text, or copying it from thread to thread, would hold the main thread up. */
function withContent(document: IndexDocument): IndexDocument {
  const { body } = document;
  if (body.kind !== "text") return document;
  const text = carriedString(body.text);
  return { ...document, body: { ...body, text: carry(text), content: contentReference(text) } };
}

/** Bytes lose their Buffer's methods on the way between threads. */
const extract = (request: ExtractionRequest): Promise<Extraction> =>
  textMediaTypes.extract({ ...request, bytes: asBuffer(request.bytes) });

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

serveThread({ open, next, extract, close: () => undefined });
