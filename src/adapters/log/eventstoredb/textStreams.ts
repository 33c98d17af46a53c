import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import { createHash } from "node:crypto";
import { carriedBytes } from "../../../shared/carriedText.js";
import type { Chunks } from "../textChunks.js";
import type { DatasourceName } from "../../../shared/ids.js";
import { bytesEvent, jsonEvent, type StreamEvent } from "./storedEvents.js";

/*
 * A text has a stream of its own: a `TextBegun` event, then its chunks, then a `TextKept` for each later event that
 * brings the same text while it still stands. It counts once the last chunk is there.
 */

/** How the text that begins with this event is cut, and to which datasource it belongs; null: it is of a file. */
export interface TextBegun {
  readonly chunks: number;
  readonly bytes: number;
  readonly datasource: DatasourceName | null;
}

/** The type of the events by which later events hold on to a text. */
export const textKept = "TextKept";

/** What each later event of the stream says about the text it belongs to. */
interface Progress {
  /** Id of its `TextBegun`. */
  readonly text: string;
  /** Index of the chunk; equal to `chunks` in a `TextKept`. */
  readonly chunk: number;
  readonly chunks: number;
}

/** How far a text has been written, as its stream's newest event tells. */
export interface Standing {
  readonly text: string;
  /** The chunk to be written next; equal to `chunks` where the text is whole. */
  readonly next: number;
}

/** The chunks of one text as events. The ids follow from the seed, so a repeated append makes the same events. */
export class TextEvents {
  constructor(
    private readonly type: string,
    private readonly chunks: Chunks,
    private readonly seed: string,
    private readonly datasource: DatasourceName | null,
  ) {}

  get count(): number {
    return this.chunks.count;
  }

  /** `at` tells the beginnings of one append in one stream apart. */
  begin(at: string): StreamEvent {
    const { count, bytes } = this.chunks;
    const data: TextBegun = { chunks: count, bytes, datasource: this.datasource };
    return jsonEvent({ id: this.idOf(`begun ${at}`), type: this.type, data });
  }

  chunk(index: number, text: string): StreamEvent {
    const metadata: Progress = { text, chunk: index, chunks: this.count };
    return bytesEvent({
      id: this.idOf(`${text} ${index}`),
      type: "TextChunk",
      data: carriedBytes(this.chunks.at(index)),
      metadata,
    });
  }

  keep(text: string, at: string): StreamEvent {
    const progress: Progress = { text, chunk: this.count, chunks: this.count };
    return jsonEvent({ id: this.idOf(`kept ${at}`), type: textKept, data: {}, metadata: progress });
  }

  private idOf(what: string): string {
    const digest = createHash("sha256").update(`${this.seed} ${what}`).digest("hex");
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  }
}

/** Null where the stream's newest event belongs to no text that was cut into this many chunks. */
export function standingOf({ metadata }: StoredRecord, chunks: number): Standing | null {
  const progress = progressOf(metadata);
  if (progress === null || progress.chunks !== chunks) return null;
  return { text: progress.text, next: Math.min(progress.chunk + 1, chunks) };
}

/** The text that the stream's newest event belongs to, where that is whole; null where it is not. */
export function wholeText({ metadata }: StoredRecord): { readonly text: string; readonly chunks: number } | null {
  const progress = progressOf(metadata);
  return progress !== null && progress.chunk + 1 >= progress.chunks ? progress : null;
}

/** The chunk that an event holds of a text, if it is this one. */
export function chunkIn({ type, data, metadata }: StoredRecord, text: string, chunk: number): Buffer | null {
  const progress = type === "TextChunk" ? progressOf(metadata) : null;
  if (progress?.text !== text || progress.chunk !== chunk || !(data instanceof Uint8Array)) return null;
  return Buffer.from(data.buffer, data.byteOffset, data.length);
}

/** The newest text of the stream that is whole; null where none is. */
export function joinText(records: readonly StoredRecord[], textBegun: string): string | null {
  const texts = new Map<string, Map<number, Buffer>>();
  let whole: readonly Buffer[] | null = null;
  for (const { id, type, data, metadata } of records) {
    if (type === textBegun) texts.set(id, new Map());
    const progress = type === "TextChunk" ? progressOf(metadata) : null;
    const chunks = progress === null ? undefined : texts.get(progress.text);
    if (progress === null || chunks === undefined || !(data instanceof Uint8Array)) continue;
    chunks.set(progress.chunk, Buffer.from(data.buffer, data.byteOffset, data.length));
    if (chunks.size === progress.chunks)
      whole = Array.from(chunks.entries())
        .sort(([a], [b]) => a - b)
        .map(([, chunk]) => chunk);
  }
  return whole === null ? null : Buffer.concat(whole).toString("utf8");
}

function progressOf(metadata: unknown): Progress | null {
  if (typeof metadata !== "object" || metadata === null) return null;
  const { text, chunk, chunks } = metadata as Partial<Progress>;
  return typeof text === "string" && typeof chunk === "number" && typeof chunks === "number"
    ? { text, chunk, chunks }
    : null;
}
