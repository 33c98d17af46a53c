import { ThreadClient } from "../threads/threadClient.js";
import {
  checkDocuments,
  readDocument,
  toDocumentsRequest,
  type CheckedDocuments,
  type CheckedDocument,
} from "../../api/documentIntake.js";
import type { DocumentIntake, DocumentsRequest } from "../../http/ports.js";
import { failed, type Result } from "../../shared/result.js";
import { Shares } from "../../shared/shares.js";
import type { Issue } from "../../http/validation/issue.js";
import { ThreadWatch } from "../../shared/restartedWorker.js";
import type { BodyToOpen, NextDocuments } from "./documentIntakeThread.js";

interface DocumentIntakeConfig {
  readonly maxBinaryBytes: number;
  readonly maxBodyBytes: number;
}

const threadCount = 2;
const mebibyte = 1_048_576;
/** A body in memory is its bytes, its text and its values. */
const memoryPerBodyByte = 8;
const leastMemoryMb = 256;

type Outcome = Result<DocumentsRequest, readonly Issue[]>;

/** Reads small bodies at once, and large bodies in threads, which start when needed. */
export function openDocumentIntake(
  { maxBinaryBytes, maxBodyBytes }: DocumentIntakeConfig,
  watch = new ThreadWatch(),
): DocumentIntake & { close(): Promise<void> } {
  const threads = new IntakeThreads(leastMemoryMb + Math.ceil((memoryPerBodyByte * maxBodyBytes) / mebibyte), watch);
  const turns = new Shares(threadCount);
  return {
    read: (body) => Promise.resolve(readInline(body, maxBinaryBytes)),
    readFile: (path, turn) =>
      turns.during({ ...turn, amount: 1 }, () =>
        threads.borrow((thread) => readInThread(thread, { path, maxBinaryBytes })),
      ),
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
  const form = await thread.call<Result<CheckedDocuments["form"], readonly Issue[]>>("open", body);
  if (!form.ok) return failed(form.error);
  const documents: CheckedDocument[] = [];
  for (let done = false; !done;) {
    const next = await thread.call<NextDocuments>("next", null);
    for (const document of next.documents) documents.push(document);
    done = next.done;
  }
  return toDocumentsRequest(form.value, documents);
}

/** Lends threads, each to one borrower at a time. There are as many as borrowers. */
class IntakeThreads {
  private readonly idle: ThreadClient[] = [];
  private readonly running = new Set<ThreadClient>();

  /** `memoryMb` is what one thread may hold. */
  constructor(
    private readonly memoryMb: number,
    private readonly watch: ThreadWatch,
  ) {}

  /** A thread that failed is not trusted with the next body. */
  async borrow<Value>(use: (thread: ThreadClient) => Promise<Value>): Promise<Value> {
    const thread = this.idle.pop() ?? this.start();
    try {
      const value = await use(thread);
      this.idle.push(thread);
      return value;
    } catch (error) {
      this.running.delete(thread);
      // Ending a thread that is dead already fails, and nothing is left to do about it.
      thread.close().catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((thread) => thread.close()));
  }

  private start(): ThreadClient {
    const resourceLimits = { maxOldGenerationSizeMb: this.memoryMb };
    const thread = new ThreadClient(
      new URL("./documentIntakeThread.js", import.meta.url),
      { name: "document intake", resourceLimits },
      this.watch,
    );
    this.running.add(thread);
    return thread;
  }
}
