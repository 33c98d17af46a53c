import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { BrowsedStretch, BrowseRequest } from "../../../events/browsableLog.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { categoryOf, type StreamName } from "../../../events/streams.js";
import { beginning, type Position } from "../../../shared/position.js";
import { firstRevision, revisionStretches } from "../revisions.js";
import type { Connection } from "./connection.js";
import { isForeignPosition } from "./failures.js";
import { read } from "./readCalls.js";
import { positionOf } from "./storedEvents.js";
import type { StreamNames } from "./streamNames.js";
import { readAt, readForwards, readNewest } from "./streamReads.js";

/** What looking through the log needs of the event source. */
export interface BrowsedServer {
  readonly connection: Connection;
  readonly names: StreamNames;
  deliver(record: StoredRecord, stream: StreamName): Promise<RecordedEvent>;
}

/**
 * Looks through all streams from the newest event on. The server's own filters follow the log forwards alone, so events
 * of others and the texts beside events are passed over here.
 */
export async function* browseBackwards(
  server: BrowsedServer,
  { start, categories, maxBatchSize }: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { connection } = server;
  const isWanted = (stream: StreamName): boolean => categories.includes(categoryOf(stream));
  let before = start?.position ?? null;
  if (start?.inclusive === true) {
    const record = await readAt(connection, start.position);
    if (record !== null) yield { events: await delivered([record], server, isWanted), position: start.position };
  }
  for (;;) {
    const records = await readBackwards(connection, before, maxBatchSize);
    const last = records.at(-1);
    if (last === undefined) return;
    before = positionOf(last);
    yield { events: await delivered(records, server, isWanted), position: before };
  }
}

/** Empty where no event ever stood at the position. */
const readBackwards = (
  connection: Connection,
  before: Position | null,
  maxCount: number,
): Promise<readonly StoredRecord[]> =>
  connection.insist("Reading the event log backwards", async (deadlineMs) => {
    try {
      return (await read(connection, { allBefore: before, maxCount }, deadlineMs)) ?? [];
    } catch (error) {
      if (isForeignPosition(error)) return [];
      throw error;
    }
  });

/** Looks through one stream. Which revision a position is at is found by halves. */
export async function* browseStream(
  server: BrowsedServer,
  stream: StreamName,
  { order, start, maxBatchSize }: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { connection, names } = server;
  const name = names.of(stream);
  const newest = await readNewest(connection, name);
  if (newest === null) return;
  const count = Number(newest.revision) + 1;
  const positionAt = async (fromRevision: number): Promise<Position> => {
    const [record] = await readForwards(connection, name, { fromRevision, maxCount: 1 });
    return record === undefined ? beginning : positionOf(record);
  };
  const from = await firstRevision(start, order, count, positionAt);
  for (const stretch of revisionStretches({ order, from, count }, maxBatchSize)) {
    const maxCount = stretch.to - stretch.from;
    const records = await readForwards(connection, name, { fromRevision: stretch.from, maxCount });
    const ordered = order === "forwards" ? records : records.toReversed();
    const last = ordered.at(-1);
    if (last === undefined) return;
    yield { events: await delivered(ordered, server, () => true), position: positionOf(last) };
  }
}

async function delivered(
  records: readonly StoredRecord[],
  { names, deliver }: BrowsedServer,
  isWanted: (stream: StreamName) => boolean,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const record of records) {
    const stream = names.parse(record.streamId);
    if (stream !== null && isWanted(stream)) events.push(await deliver(record, stream));
  }
  return events;
}
