import { textMediaTypes } from "../textMediaTypes.js";
import type { ThreadClient } from "../../threads/threadClient.js";
import {
  checkDocuments,
  readDocument,
  toDocumentsRequest,
  type CheckedDocuments,
  type ReadDocument,
} from "../../../http/body/documentIntake.js";
import type { DocumentIntake, DocumentsRequest, Extraction, TextExtractor } from "../../../http/ports.js";
import { failed, type Result } from "../../../shared/result.js";
import type { Issue } from "../../../http/validation/issue.js";
import { ThreadWatch } from "../../../shared/threadWatch.js";
import type { BodyToOpen, NextDocuments } from "./documentIntakeThread.js";
import { IntakeThreads } from "./intakeThreads.js";

export interface DocumentIntakeConfig {
  readonly maxBinaryBytes: number;
  readonly maxBodyBytes: number;
}

/** Bodies up to this size take the event loop a few milliseconds; handing them to a thread would cost more. */
const inlineBodyBytes = 262_144;
/** The same for the files in them: taking a page apart costs a hundred times what parsing JSON does. */
const inlineFileBytes = 8_192;
const mebibyte = 1_048_576;
/** A body in memory is its text, its values, and decoded binaries; a page is a tree. */
const memoryPerBodyByte = 8;
const memoryPerPageMb = 512;

type Outcome = Result<DocumentsRequest, readonly Issue[]>;

/** Reads small bodies at once, and large bodies and files in threads. */
export function openDocumentIntake(
  { maxBinaryBytes, maxBodyBytes }: DocumentIntakeConfig,
  watch = new ThreadWatch(),
): DocumentIntake & { close(): Promise<void> } {
  const memoryMb = memoryPerPageMb + Math.ceil((memoryPerBodyByte * maxBodyBytes) / mebibyte);
  const threads = new IntakeThreads(memoryMb, watch);
  const extractor: TextExtractor = {
    extract: (request) =>
      request.bytes.length <= inlineFileBytes
        ? textMediaTypes.extract(request)
        : threads.borrow((thread) => thread.call<Extraction>("extract", request)),
  };
  return {
    read: (blocks) =>
      blocks.reduce((bytes, block) => bytes + block.length, 0) <= inlineBodyBytes
        ? readInline(Buffer.concat(blocks), maxBinaryBytes, extractor)
        : threads.borrow((thread) => readInThread(thread, { blocks, maxBinaryBytes })),
    close: () => threads.close(),
  };
}

async function readInline(body: Buffer, maxBinaryBytes: number, extractor: TextExtractor): Promise<Outcome> {
  const checked = checkDocuments(body);
  if (!checked.ok) return checked;
  const { form, messages, mayBeUnstorable } = checked.value;
  const documents: ReadDocument[] = [];
  for (const message of messages)
    documents.push(await readDocument(message, { extractor, maxBinaryBytes, mayBeUnstorable }));
  return toDocumentsRequest(form, documents);
}

async function readInThread(thread: ThreadClient, body: BodyToOpen): Promise<Outcome> {
  // A body of this size lies in memory of its own, which is transferred to the thread without a copy.
  const form = await thread.call<Result<CheckedDocuments["form"], readonly Issue[]>>(
    "open",
    body,
    body.blocks.map(({ buffer }) => buffer as ArrayBuffer),
  );
  if (!form.ok) return failed(form.error);
  const documents: ReadDocument[] = [];
  for (let done = false; !done;) {
    const next = await thread.call<NextDocuments>("next", null);
    for (const document of next.documents) documents.push(document);
    done = next.done;
  }
  return toDocumentsRequest(form.value, documents);
}
