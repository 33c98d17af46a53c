import { setTimeout as delay } from "node:timers/promises";
import type { Asker, Extraction, FileToExtract, TextExtractor } from "../../../../commands/ports.js";
import { toExtraction } from "./tikaAnswer.js";
import { askTika, TooLargeAnswer, type TikaReply } from "./askTika.js";

export interface TikaOptions {
  /** Where Tika's server is; paths are added to it. */
  readonly url: string;
  /** For one file, with the waiting while Tika is full. */
  readonly timeoutMs: number;
  readonly maxCharacters: number;
  /** Told of every file that Tika did not take, without its name. */
  onFailed?(because: string): void;
}

/** More of a text would hold up the event loop while the answer is parsed. */
const mostCharacters = 2_000_000;
const busy: ReadonlySet<number> = new Set([429, 503]);
const defaultRetryMs = 1_000;

/**
 * Leaves to Apache Tika what another extractor does not know how to read. The decision what a file is, and everything
 * that is read here, stays with that extractor.
 */
export class TikaExtractor implements TextExtractor {
  constructor(
    private readonly ours: TextExtractor,
    private readonly options: TikaOptions,
  ) {}

  async extract(file: FileToExtract, asker?: Asker): Promise<Extraction> {
    const found = await this.ours.extract(file, asker);
    if (found.kind !== "unextractable" || found.isUnknownType !== true) return found;
    const { timeoutMs } = this.options;
    try {
      return (await this.ask(file, performance.now() + timeoutMs)) ?? found;
    } catch (error) {
      return this.failed(whyFailed(error, timeoutMs));
    }
  }

  /** null: it does not know how to read the file either. */
  private async ask(file: FileToExtract, untilMs: number): Promise<Extraction | null> {
    const maxCharacters = Math.min(this.options.maxCharacters, mostCharacters);
    for (;;) {
      const signal = AbortSignal.timeout(Math.max(1, Math.round(untilMs - performance.now())));
      const reply = await askTika({ ...this.options, maxCharacters, signal }, file);
      if (!busy.has(reply.status)) return this.understood(reply, file, maxCharacters);
      const waitMs = reply.retryAfterMs ?? defaultRetryMs;
      if (performance.now() + waitMs >= untilMs) return this.failed("it is busy. Send the document again later");
      await delay(waitMs);
    }
  }

  private understood({ status, body }: TikaReply, file: FileToExtract, maxCharacters: number): Extraction | null {
    if (status === 204) return { kind: "text", text: "", facts: { mimeType: file.mimeType ?? anything } };
    if (status === 415 || status === 422) return null;
    const extraction = status === 200 ? toExtraction(body, file.mimeType, maxCharacters) : null;
    return extraction ?? this.failed(status === 200 ? "it answered what nobody understands" : `it answered ${status}`);
  }

  private failed(because: string): Extraction {
    this.options.onFailed?.(because);
    return { kind: "unextractable", reason: `Apache Tika did not take the file: ${because}.` };
  }
}

const anything = "application/octet-stream";

function whyFailed(error: unknown, timeoutMs: number): string {
  if (error instanceof TooLargeAnswer) return "its answer is too large";
  const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  return isLate ? `reading took longer than ${timeoutMs / 1_000} s` : "it cannot be reached";
}
