import { setTimeout as delay } from "node:timers/promises";
import { createReadStream } from "node:fs";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Asker, Extraction, FileToExtract, TextExtractor } from "../../../../commands/ports.js";
import { boundedBody } from "../../../shared/network.js";
import { retryAfterMs } from "../../../shared/failures.js";
import { withoutTrailing, beginningOf } from "../../../shared/texts.js";
import type { FileFacts } from "../../../events/document.js";
import { isLie } from "../detect/mediaTypes.js";
import { instantOf, languageCode, oneLine } from "../readers/factValues.js";
import { textLanguage } from "../textLanguage.js";

interface TikaOptions {
  /** Where Tika's server is; paths are added to it. */
  readonly url: string;
  /** For one file, with the waiting while Tika is full. */
  readonly timeoutMs: number;
  readonly maxCharacters: number;
  /** Called for every file that Tika did not take, without its name. */
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

interface TikaReply {
  readonly status: number;
  /** null: it does not say. */
  readonly retryAfterMs: number | null;
  /** Empty unless the status is 200. */
  readonly body: Buffer;
}

interface TikaQuestion {
  readonly url: string;
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

class TooLargeAnswer extends Error {}

/** The bytes of a character in UTF-8, at most. */
const bytesPerCharacter = 4;

const besidesText = 1_048_576;
const sliceBytes = 1_048_576;

/**
 * Sends a file to Tika and gives its answer: a list of JSON objects, of the file and of the files in it. The file is
 * streamed.
 *
 * @throws TooLargeAnswer, or whatever went wrong on the way.
 */
async function askTika({ url, maxCharacters, signal }: TikaQuestion, file: FileToExtract): Promise<TikaReply> {
  const target = new URL(`${withoutTrailing(url, "/")}/rmeta/text`);
  const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
    method: "PUT",
    signal,
    headers: {
      Accept: "application/json",
      // Tika cuts what is longer, and says so.
      writeLimit: maxCharacters,
      ...(file.mimeType === null ? {} : { "Content-Type": file.mimeType }),
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  });
  // Tika may answer before it has all of the file: what counts then is the answer.
  void pipeline(contentOf(file), request, { signal }).catch(() => undefined);
  const answer = await response;
  const status = answer.statusCode ?? 0;
  if (status !== 200) {
    answer.resume();
    return { status, retryAfterMs: retryAfterMs(answer.headers["retry-after"]), body: Buffer.alloc(0) };
  }
  const mostBytes = maxCharacters * bytesPerCharacter + besidesText;
  const body = await buffer(boundedBody(answer, mostBytes, () => new TooLargeAnswer()));
  return { status, retryAfterMs: null, body };
}

function contentOf({ content }: FileToExtract): Readable {
  return content instanceof Uint8Array
    ? Readable.from(slices(content), { objectMode: false })
    : createReadStream(content.path);
}

/** The bytes in slices so small that copying one does not hold up the event loop. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

type Entry = Readonly<Record<string, unknown>>;

const encrypted = /EncryptedDocumentException/;

/** What Tika found in a file and in the files in it; null where its answer is none that is known. */
function toExtraction(body: Buffer, declared: string | null, maxCharacters: number): Extraction | null {
  const entries = entriesOf(body);
  const mimeType = typeOf(entries[0]);
  if (entries[0] === undefined || mimeType === undefined) return null;
  const whole = entries.flatMap((entry) => textOf(entry) ?? []).join("\n");
  const failure = failureOf(entries[0]);
  if (failure !== undefined && whole === "") return unreadable(failure);
  const text = beginningOf(whole, maxCharacters);
  const isCut = text.length < whole.length || failure !== undefined || entries.some(wasCut);
  const facts = {
    mimeType,
    declaredMimeType: declared !== null && isLie(declared, mimeType) ? declared : undefined,
    ...factsOf(entries[0], text),
    truncated: isCut ? true : undefined,
  };
  return {
    kind: "text",
    text,
    facts: Object.fromEntries(Object.entries(facts).filter(isSaid)) as unknown as FileFacts,
  };
}

const isSaid = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

const typeOf = (entry: Entry | undefined): string | undefined =>
  valueOf(entry?.["Content-Type"])?.split(";")[0]?.trim().toLowerCase();

const failureOf = (entry: Entry): string | undefined =>
  valueOf(entry["X-TIKA:EXCEPTION:container_exception"]) ?? valueOf(entry["X-TIKA:EXCEPTION:runtime"]);

const unreadable = (failure: string): Extraction => ({
  kind: "unextractable",
  reason: encrypted.test(failure) ? "The file is encrypted." : "The file is damaged: Apache Tika cannot read it.",
});

/** Empty where it is no list of objects. */
function entriesOf(body: Buffer): readonly Entry[] {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return Array.isArray(parsed) && parsed.every(isEntry) ? parsed : [];
  } catch {
    return [];
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Blank lines stand for what has no text. */
function textOf(entry: Entry): string | undefined {
  const text = valueOf(entry["X-TIKA:content"])
    ?.replace(/[\0\p{Surrogate}]/gu, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? undefined : text;
}

const wasCut = (entry: Entry): boolean => valueOf(entry["X-TIKA:EXCEPTION:write_limit_reached"]) === "true";

function factsOf(file: Entry, text: string): Omit<FileFacts, "mimeType"> {
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => valueOf(file[name])).find((value) => value !== undefined);
  const pages = Number(first("xmpTPg:NPages", "meta:page-count", "meta:slide-count"));
  return {
    title: oneLine(first("dc:title")),
    author: oneLine(first("dc:creator", "meta:author")),
    language: languageCode(first("dc:language", "language")) ?? textLanguage(text),
    pageCount: Number.isSafeInteger(pages) && pages > 0 ? pages : undefined,
    createdAt: instantOf(first("dcterms:created")),
    modifiedAt: instantOf(first("dcterms:modified")),
  };
}

/** A value of which there may be several. */
function valueOf(value: unknown): string | undefined {
  const values = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  return values.length === 0 ? undefined : values.join(", ");
}
