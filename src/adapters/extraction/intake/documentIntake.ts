import type { ThreadClient } from "../../threads/threadClient.js";
import {
  checkDocuments,
  readDocument,
  toDocumentsRequest,
  type CheckedDocuments,
  type ReadDocument,
} from "../../../http/body/documentIntake.js";
import type { DocumentIntake, DocumentsRequest } from "../../../http/ports.js";
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
const mebibyte = 1_048_576;
/** A body in memory is its text and its values. */
const memoryPerBodyByte = 8;
const leastMemoryMb = 64;

type Outcome = Result<DocumentsRequest, readonly Issue[]>;

/** Reads small bodies at once, and large bodies in threads. */
export function openDocumentIntake(
  { maxBinaryBytes, maxBodyBytes }: DocumentIntakeConfig,
  watch = new ThreadWatch(),
): DocumentIntake & { close(): Promise<void> } {
  const threads = new IntakeThreads(leastMemoryMb + Math.ceil((memoryPerBodyByte * maxBodyBytes) / mebibyte), watch);
  return {
    read: (blocks) =>
      blocks.reduce((bytes, block) => bytes + block.length, 0) <= inlineBodyBytes
        ? Promise.resolve(readInline(Buffer.concat(blocks), maxBinaryBytes))
        : threads.borrow((thread) => readInThread(thread, { blocks, maxBinaryBytes })),
    close: () => threads.close(),
  };
}

function readInline(body: Buffer, maxBinaryBytes: number): Outcome {
  const checked = checkDocuments(body);
  if (!checked.ok) return checked;
  const { form, messages, mayBeUnstorable } = checked.value;
  return toDocumentsRequest(
    form,
    messages.map((message) => readDocument(message, { maxBinaryBytes, mayBeUnstorable })),
  );
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
