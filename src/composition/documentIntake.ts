import type { IndexDocument } from "../../commands/commands.js";
import { textMediaTypes } from "../adapters/extraction/textMediaTypes.js";
import { ThreadClient } from "../adapters/threads/threadClient.js";
import { checkDocuments, toIndexDocument } from "../http/documentIntake.js";
import type { DocumentIntake, DocumentsRequest, IntakeFailure } from "../http/ports.js";
import { failed, ok, type Result } from "../shared/result.js";
import type { Issue } from "../validation/issue.js";
import type { NextDocuments, OpenedBody } from "./documentIntakeThread.js";

export interface DocumentIntakeConfig {
  readonly maxBinaryBytes: number;
  readonly maxBodyBytes: number;
}

/** Bodies up to this size take the event loop a few milliseconds; handing them to a thread would cost more. */
const inlineBytes = 262_144;
const threadCount = 2;
const mebibyte = 1_048_576;
/** A body in memory is its text, its values, and decoded binaries. */
const memoryPerBodyByte = 8;
const leastThreadMemoryMb = 512;

type Outcome = Result<DocumentsRequest, IntakeFailure>;

/** Reads small bodies at once and large ones in threads, of which each reads one body at a time; further ones wait. */
export function openDocumentIntake(config: DocumentIntakeConfig): DocumentIntake & { close(): Promise<void> } {
  const threads = new IntakeThreads(config);
  return {
    read: (body) => (body.length <= inlineBytes ? readInline(body, config.maxBinaryBytes) : threads.read(body)),
    close: () => threads.close(),
  };
}

async function readInline(body: Buffer, maxBinaryBytes: number): Promise<Outcome> {
  const checked = checkDocuments(body, maxBinaryBytes);
  if (!checked.ok) return invalid(checked.error);
  const documents: IndexDocument[] = [];
  for (const message of checked.value.messages) documents.push(await toIndexDocument(message, textMediaTypes));
  return requestOf(checked.value.form, documents);
}

const invalid = (issues: readonly Issue[]): Outcome => failed({ type: "Invalid", issues });

function requestOf(form: "single" | "array", documents: readonly IndexDocument[]): Outcome {
  const [document] = documents;
  return ok(form === "single" && document !== undefined ? { form, document } : { form: "array", documents });
}

class IntakeThreads {
  private readonly idle: ThreadClient[] = [];
  private readonly running = new Set<ThreadClient>();
  private readonly waiting: ((thread: ThreadClient) => void)[] = [];

  constructor(private readonly config: DocumentIntakeConfig) {}

  async read(body: Buffer): Promise<Outcome> {
    const thread = await this.take();
    try {
      const outcome = await readIn(thread, body, this.config.maxBinaryBytes);
      this.giveBack(thread);
      return outcome;
    } catch (error) {
      this.replace(thread);
      if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") return failed({ type: "TooLargeToRead" });
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((thread) => thread.close()));
  }

  private take(): Promise<ThreadClient> {
    const idle = this.idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.running.size < threadCount) return Promise.resolve(this.start());
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private giveBack(thread: ThreadClient): void {
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(thread);
    else next(thread);
  }

  /** A thread whose body made it fail is not trusted with another. */
  private replace(thread: ThreadClient): void {
    this.running.delete(thread);
    // Ending a thread that is dead already fails, and nothing is left to do about it.
    thread.close().catch(() => undefined);
    const next = this.waiting.shift();
    if (next !== undefined) next(this.start());
  }

  private start(): ThreadClient {
    const memory = Math.max(leastThreadMemoryMb, Math.ceil((memoryPerBodyByte * this.config.maxBodyBytes) / mebibyte));
    const thread = new ThreadClient(new URL("./documentIntakeThread.js", import.meta.url), {
      name: "document intake",
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    this.running.add(thread);
    return thread;
  }
}

async function readIn(thread: ThreadClient, body: Buffer, maxBinaryBytes: number): Promise<Outcome> {
  // A body of this size lies in memory of its own, which goes over to the thread without being copied.
  const opened = await thread.call<Result<OpenedBody, readonly Issue[]>>("open", { bytes: body, maxBinaryBytes }, [body.buffer as ArrayBuffer]);
  if (!opened.ok) return invalid(opened.error);
  const documents: IndexDocument[] = [];
  for (let done = false; !done; ) {
    const next = await thread.call<NextDocuments>("next", null);
    documents.push(...next.documents);
    done = next.done;
  }
  return requestOf(opened.value.form, documents);
}
