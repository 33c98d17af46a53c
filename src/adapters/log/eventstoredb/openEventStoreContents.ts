import type { BytesReader, ContentEraser, ContentKey, ContentReader } from "../../../../projections/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { beginning, type Position } from "../../../shared/position.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { followLog } from "./followLog.js";
import { positionOf } from "./storedEvents.js";
import { deleteAt } from "./streamDeletion.js";
import { StreamNames } from "./streamNames.js";
import { readForwards, readNewest, read } from "./streamReads.js";
import { ContentErased } from "../contentErased.js";
import { chunkIn, joinText, wholeText } from "./textStreams.js";

interface EventStoreContentsOptions extends ConnectionOptions {
  readonly namespace: string;
}

/** How many texts of a datasource are erased at once, so that appends get their turns. */
const erasuresAtOnce = 8;

const textsPerBatch = 256;
/** At most 2 MiB of a content are in memory at once. */
const eventsPerRead = 4;

/**
 * The texts on EventStoreDB, usable in any thread and process; connects on first use. An erased text is gone from every
 * read at once, and from the server's disk with its next scavenge.
 */
export function openEventStoreContents(
  options: EventStoreContentsOptions,
): ContentReader & BytesReader & ContentEraser & { close(): Promise<void> } {
  return new EventStoreContents(options);
}

class EventStoreContents implements ContentReader, BytesReader, ContentEraser {
  private readonly connection: Connection;
  private readonly names: StreamNames;
  private readonly witness: Witness;
  private readonly closing = new AbortController();

  constructor(private readonly options: EventStoreContentsOptions) {
    this.names = new StreamNames(options.namespace);
    this.connection = new Connection(options);
    this.witness = new Witness(this.connection);
  }

  async read(key: ContentKey, referredToAt: Position = beginning): Promise<string | null> {
    const readWhole = async (): Promise<string | null> =>
      joinText(await readForwards(this.connection, this.names.ofText(key), { fromRevision: 0 }), this.names.textBegun);
    return (await readWhole()) ?? ((await this.witness.hadCome(referredToAt)) ? null : readWhole());
  }

  async readBytes(key: ContentKey, referredToAt: Position = beginning): Promise<AsyncIterable<Uint8Array> | null> {
    const stream = this.names.ofText(key);
    const find = async (): Promise<ReturnType<typeof wholeText>> => {
      const newest = await readNewest(this.connection, stream);
      return newest && wholeText(newest);
    };
    const whole = (await find()) ?? ((await this.witness.hadCome(referredToAt)) ? null : await find());
    return whole && this.eachChunk(stream, whole);
  }

  private async *eachChunk(
    stream: string,
    { text, chunks }: NonNullable<ReturnType<typeof wholeText>>,
  ): AsyncGenerator<Uint8Array, void, void> {
    let next = 0;
    for (let fromRevision = 0; next < chunks; fromRevision += eventsPerRead) {
      const records = await readForwards(this.connection, stream, { fromRevision, maxCount: eventsPerRead });
      if (records.length === 0) throw new ContentErased();
      for (const record of records) {
        const chunk = chunkIn(record, text, next);
        if (chunk === null) continue;
        next++;
        yield chunk;
      }
    }
  }

  /**
   * Each event that brings a text writes to the text's stream first. So a newer entry means that a later event relies
   * on the text.
   */
  erase(key: ContentKey, before: Position): Promise<void> {
    return this.eraseStream(this.names.ofText(key), before);
  }

  /** Texts are found by the events with which they begin. That finds texts for which no event ever came, too. */
  async eraseDatasource(datasourceId: DatasourceId, closedAt: Position = beginning): Promise<void> {
    const prefix = this.names.ofTexts(datasourceId);
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.closing.signal]);
    const filter = { eventTypes: [this.names.textBegun] };
    for await (const batch of followLog({
      connection: this.options,
      filter,
      after: beginning,
      atLeast: closedAt,
      maxBatchSize: textsPerBatch,
      batches: false,
      signal,
    })) {
      const streams = batch.records.map(({ streamId }) => streamId).filter((stream) => stream.startsWith(prefix));
      await eachOf(new Set(streams), (stream) => this.eraseStream(stream, null));
      if (batch.caughtUp) stop.abort();
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.connection.close();
  }

  /** Erases whatever is there where `before` is null. */
  private async eraseStream(stream: string, before: Position | null): Promise<void> {
    for (;;) {
      const newest = await readNewest(this.connection, stream);
      if (newest === null && (before === null || (await this.witness.hadCome(before)))) return;
      if (newest === null) continue;
      if (before !== null && positionOf(newest) > before) return;
      if (await deleteAt(this.connection, stream, Number(newest.revision))) return;
    }
  }
}

async function eachOf<Item>(items: ReadonlySet<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.min(erasuresAtOnce, items.size) }, worker));
}

/**
 * Tells whether a server that knows nothing of a stream can be believed. A leader that stood still while the others
 * chose another one goes on leading, as it believes, for seconds: it answers reads from a log that ends where it stood
 * still (docs/design/log.md).
 */
class Witness {
  private known: { readonly server: unknown; readonly end: Position } = { server: null, end: beginning };

  constructor(private readonly connection: Connection) {}

  /**
   * True where the server was known to have come this far, so what it said before counts. False where it is known only
   * now, and has to be asked again. Throws `EngineUnavailable` where no such server is found.
   */
  async hadCome(position: Position): Promise<boolean> {
    const { connection } = this;
    if (position === beginning || (this.known.server === connection.current && this.known.end >= position)) return true;
    await connection.insist(`Reading the event log as far as position ${position}`, async (deadlineMs) => {
      const [newest] = (await read(connection, { endOfAll: true }, deadlineMs)) ?? [];
      const end = newest === undefined ? beginning : positionOf(newest);
      if (end < position) throw new Error(`its log ends at ${end}`);
      this.known = { server: connection.current, end };
    });
    return false;
  }
}
