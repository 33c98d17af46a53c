import { EventEmitter } from "node:events";

/** An event as the server keeps it. */
export interface Entry {
  readonly position: number;
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  readonly createdMs: number;
}

export type NewEntry = Pick<Entry, "id" | "type" | "contentType" | "data" | "metadata">;
export type Expectation = "any" | "noStream" | "streamExists" | bigint;

export type Written =
  | { readonly kind: "written"; readonly revision: bigint; readonly position: number | null }
  | { readonly kind: "wrongVersion"; readonly current: bigint | null }
  | { readonly kind: "deleted" }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "badRequest" };

/** A moment of a log. */
export interface LogMark {
  readonly end: number;
}

interface Stream {
  readonly entries: Entry[];
  /** Revisions below are hidden; `maxRevision` for a deleted stream. */
  truncateBefore: bigint;
  isTombstoned: boolean;
}

const maxRevision = 9_223_372_036_854_775_807n;
const json = "application/json";
const ownRecord = "epoch";
/** Whether it is no event, but a record of the server's. */
export const isOwn = ({ type }: Entry): boolean => type === ownRecord;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the server has on disk, with the rules of a real 24.10 for writing to it (test/fixtures/eventstoredb). */
export class StoredLog {
  readonly entries: Entry[] = [];
  readonly changes = new EventEmitter().setMaxListeners(0);
  maxAppendBytes = 1_048_576;
  /** After so many more appends nothing is written any more; null for no end. */
  failAfter: number | null = null;
  /** As KurrentDB 25.0.0: a subscription that reaches the end is told the place of the next event as a checkpoint. */
  tellsNextPlace = false;
  private readonly streams = new Map<string, Stream>();
  /** The ids that the server remembers until it is restarted: what a retry with any revision rests on. */
  private remembered = new Map<string, { readonly stream: string; readonly revision: bigint }>();
  private end = 170;

  constructor() {
    this.write("$$$scavenges", [
      {
        id: "00000000-0000-0000-0000-000000000001",
        type: "$metadata",
        contentType: json,
        data: Buffer.from('{"$maxAge":2592000}'),
        metadata: Buffer.alloc(0),
      },
    ]);
  }

  restart(): void {
    this.remembered = new Map();
  }

  /** Where the next event will stand. */
  get nextPlace(): number {
    return this.end;
  }

  /** The log as it is now, for {@link goBackTo}. */
  mark(): LogMark {
    return { end: this.end };
  }

  /** As if a backup that was taken then were put back. */
  goBackTo({ end }: LogMark): void {
    const isKept = ({ position }: Entry): boolean => position < end;
    this.entries.splice(this.entries.filter(isKept).length);
    for (const [name, stream] of this.streams) {
      stream.entries.splice(stream.entries.filter(isKept).length);
      if (stream.entries.length === 0) this.streams.delete(name);
    }
    this.end = end;
    this.restart();
  }

  /** As a server does that was started or elected: subscriptions tell where it stands, and no read shows it. */
  writeOwnRecord(): void {
    const nothing = Buffer.alloc(0);
    this.record("", 0n, { id: newId(), type: ownRecord, contentType: json, data: nothing, metadata: nothing });
  }

  /** What reads of everything show. */
  get events(): readonly Entry[] {
    return this.entries.filter((entry) => !isOwn(entry));
  }

  stream(name: string): Stream | undefined {
    return this.streams.get(name);
  }

  /** What stream reads show; null where there is no such stream, or it was deleted. */
  visible(name: string): readonly Entry[] | null {
    const stream = this.streams.get(name);
    if (stream === undefined || stream.entries.length === 0 || stream.truncateBefore === maxRevision) return null;
    return stream.entries.filter(({ revision }) => revision >= stream.truncateBefore);
  }

  append(name: string, expected: Expectation, events: readonly NewEntry[]): Written {
    if (name === "" || events.some(({ id, type }) => type === "" || !uuid.test(id))) return { kind: "badRequest" };
    const stream = this.streams.get(name);
    if (stream?.isTombstoned === true) return { kind: "deleted" };
    const bytes = events.reduce(
      (sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length,
      0,
    );
    if (bytes > this.maxAppendBytes) return { kind: "tooLarge", limit: this.maxAppendBytes };
    if (this.failAfter !== null && this.failAfter-- <= 0) return { kind: "badRequest" };
    const last = BigInt((stream?.entries.length ?? 0) - 1);
    return (
      this.repeated(name, expected, events, last) ?? this.refusal(stream, expected, last) ?? this.written(name, events)
    );
  }

  delete(name: string, expected: Expectation): Written {
    const stream = this.streams.get(name);
    const last = BigInt((stream?.entries.length ?? 0) - 1);
    if (stream?.isTombstoned === true) return { kind: "deleted" };
    const isRight = last >= 0n && (expected === "any" || (typeof expected === "bigint" && expected === last));
    if (!isRight || stream === undefined) return { kind: "wrongVersion", current: last };
    stream.truncateBefore = maxRevision;
    return { kind: "written", revision: last, position: this.writeTruncation(name, maxRevision) };
  }

  tombstone(name: string): Written {
    const stream = this.open(name);
    if (stream.isTombstoned) return { kind: "deleted" };
    stream.isTombstoned = true;
    const entry: NewEntry = {
      id: newId(),
      type: "$streamDeleted",
      contentType: "application/octet-stream",
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    };
    return { kind: "written", revision: maxRevision, position: this.record(name, maxRevision, entry).position };
  }

  /** The same ids at the same explicit revision: the answer of the first time. */
  private repeated(name: string, expected: Expectation, events: readonly NewEntry[], last: bigint): Written | null {
    const stream = this.streams.get(name);
    const places = this.placesOf(name, expected, events);
    if (stream === undefined || stream.entries[Number(places[0] ?? -1)]?.id !== events[0]?.id) return null;
    const isSame = places.every((place, index) => stream.entries[Number(place)]?.id === events[index]?.id);
    if (!isSame) return { kind: "wrongVersion", current: last };
    const entry = stream.entries[Number(places.at(-1))];
    if (entry === undefined) return null;
    return {
      kind: "written",
      revision: entry.revision,
      position: stream.truncateBefore === maxRevision ? null : entry.position,
    };
  }

  /** Where the events would stand had they been written before; -1 where that cannot be known. */
  private placesOf(name: string, expected: Expectation, events: readonly NewEntry[]): readonly bigint[] {
    if (expected === "noStream") return events.map((_, index) => BigInt(index));
    if (typeof expected === "bigint") return events.map((_, index) => expected + 1n + BigInt(index));
    return events.map(({ id }) => {
      const known = this.remembered.get(id);
      return known?.stream === name ? known.revision : -1n;
    });
  }

  private refusal(stream: Stream | undefined, expected: Expectation, last: bigint): Written | null {
    if (expected === "any") return null;
    const isDeleted = stream?.truncateBefore === maxRevision;
    if (expected === "streamExists" && isDeleted) return { kind: "deleted" };
    const isRight =
      expected === "streamExists"
        ? last >= 0n
        : expected === "noStream"
          ? last === -1n || isDeleted
          : expected === last;
    return isRight ? null : { kind: "wrongVersion", current: last === -1n ? null : last };
  }

  private written(name: string, events: readonly NewEntry[]): Written {
    const stream = this.open(name);
    const first = BigInt(stream.entries.length);
    const wasDeleted = stream.truncateBefore === maxRevision;
    const entries = this.write(name, events);
    if (name.startsWith("$$")) this.applyMetadata(name.slice(2), entries);
    if (wasDeleted) {
      stream.truncateBefore = first;
      this.writeTruncation(name, first);
    }
    const last = entries.at(-1);
    return { kind: "written", revision: last?.revision ?? 0n, position: last?.position ?? null };
  }

  private applyMetadata(name: string, entries: readonly Entry[]): void {
    const { $tb } = JSON.parse(Buffer.from(entries.at(-1)?.data ?? Buffer.from("{}")).toString()) as {
      readonly $tb?: number;
    };
    this.open(name).truncateBefore = BigInt($tb ?? 0);
  }

  private writeTruncation(name: string, revision: bigint): number {
    const data = Buffer.from(`{"$tb":${revision}}`);
    return (
      this.write(`$$${name}`, [
        { id: newId(), type: "$metadata", contentType: json, data, metadata: Buffer.alloc(0) },
      ])[0]?.position ?? 0
    );
  }

  private write(name: string, events: readonly NewEntry[]): readonly Entry[] {
    const stream = this.open(name);
    return events.map((event) => {
      const entry = this.record(name, BigInt(stream.entries.length), event);
      stream.entries.push(entry);
      if (!this.remembered.has(event.id)) this.remembered.set(event.id, { stream: name, revision: entry.revision });
      return entry;
    });
  }

  private record(name: string, revision: bigint, event: NewEntry): Entry {
    const entry: Entry = { ...event, position: this.end, stream: name, revision, createdMs: Date.now() };
    this.end += 60 + name.length + event.data.length + event.metadata.length;
    this.entries.push(entry);
    this.changes.emit("change");
    return entry;
  }

  private open(name: string): Stream {
    const known = this.streams.get(name);
    if (known !== undefined) return known;
    const stream: Stream = { entries: [], truncateBefore: 0n, isTombstoned: false };
    this.streams.set(name, stream);
    return stream;
  }
}

const newId = (): string => crypto.randomUUID();
