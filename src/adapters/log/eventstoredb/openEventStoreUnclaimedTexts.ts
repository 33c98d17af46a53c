import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { UnclaimedText, UnclaimedTexts } from "../../../../commands/ports.js";
import { broughtContents, bringingEventTypes } from "../../../events/contents.js";
import { beginning, toPosition, type ExpectedRevision, type Position } from "../../../shared/position.js";
import { append } from "./appends.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { followLog } from "./followLog.js";
import { jsonEvent, positionOf } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { readForwards, readNewest } from "./streamReads.js";
import { textKept, type TextBegun } from "./textStreams.js";

interface EventStoreUnclaimedTextsOptions extends ConnectionOptions {
  readonly namespace: string;
}

/**
 * A text begins with the first event of its stream, or a little later where it was erased while it was brought again.
 */
const fewEvents = 3;

const recordsPerBatch = 1_000;
/** A sweep that has not ended after this long was left by a process that died. */
const longestSweepMs = 60 * 60_000;

/** How far sweeps have come, and at which revision of their stream that is noted. */
interface Standing {
  readonly revision: ExpectedRevision;
  readonly position: Position;
  readonly isUnderWay: boolean;
}

/**
 * Finds texts on EventStoreDB for which no event has come. It follows texts and documents in the order of the log. An
 * event comes after its text there, so only what is left over has to be looked at, and each text is passed once.
 * Connects on first use.
 */
export function openEventStoreUnclaimedTexts(
  options: EventStoreUnclaimedTextsOptions,
): UnclaimedTexts & { close(): Promise<void> } {
  return new EventStoreUnclaimedTexts(options);
}

class EventStoreUnclaimedTexts implements UnclaimedTexts {
  private readonly connection: Connection;
  private readonly names: StreamNames;

  constructor(private readonly options: EventStoreUnclaimedTextsOptions) {
    this.names = new StreamNames(options.namespace);
    this.connection = new Connection(options);
  }

  readonly sweep: UnclaimedTexts["sweep"] = async (minimumAgeMs, visit, signal) => {
    const standing = await this.standing();
    if (standing.isUnderWay) return false;
    const revision = await this.note(standing.revision, "TextSweepBegun", standing.position);
    if (revision === null) return false;
    const horizon = Date.now() - minimumAgeMs;
    let reached = standing.position;
    try {
      const { unclaimed, position } = await this.follow(standing.position, horizon, signal);
      for (const stream of unclaimed) {
        const text = signal.aborted ? null : await this.find(stream, horizon);
        if (text !== null) await visit(text);
      }
      if (!signal.aborted) reached = position;
    } finally {
      await this.note(revision, "TextsSwept", reached);
    }
    return true;
  };

  close(): Promise<void> {
    return this.connection.close();
  }

  /** The streams of texts without an event, among what is older than the horizon, and where that ends. */
  private async follow(
    after: Position,
    horizon: number,
    outer: AbortSignal,
  ): Promise<{ readonly unclaimed: ReadonlySet<string>; readonly position: Position }> {
    const unclaimed = new Set<string>();
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, outer]);
    const filter = { eventTypes: [this.names.textBegun, textKept, ...bringingEventTypes] };
    let position = after;
    for await (const batch of followLog({
      connection: this.options,
      filter,
      after,
      maxBatchSize: recordsPerBatch,
      batches: false,
      signal,
    })) {
      const old = batch.records.filter(({ created }) => created.getTime() < horizon);
      for (const record of old) this.take(record, unclaimed);
      const last = old.at(-1);
      if (last !== undefined) position = positionOf(last);
      if (batch.caughtUp || old.length < batch.records.length) stop.abort();
    }
    return { unclaimed, position };
  }

  private take({ streamId, type, data }: StoredRecord, unclaimed: Set<string>): void {
    if (this.names.parseText(streamId) !== null) {
      unclaimed.add(streamId);
      return;
    }
    const stream = this.names.parse(streamId);
    if (stream === null) return;
    for (const reference of broughtContents(type, data)) unclaimed.delete(this.names.ofText({ stream, reference }));
  }

  /** Null where the text is erased already, or somebody has held on to it since. */
  private async find(name: string, horizon: number): Promise<UnclaimedText | null> {
    const key = this.names.parseText(name);
    const newest = await readNewest(this.connection, name);
    if (key === null || newest === null || newest.created.getTime() >= horizon) return null;
    const firsts = await readForwards(this.connection, name, { fromRevision: 0, maxCount: fewEvents });
    const { bytes, datasource } = (firsts.find(({ type }) => type === this.names.textBegun)?.data ??
      {}) as Partial<TextBegun>;
    if (bytes === undefined || datasource === undefined) return null;
    const { sha256, stream } = key;
    return { stream, ...(datasource !== null && { datasource }), reference: { sha256, bytes } };
  }

  private async standing(): Promise<Standing> {
    const newest = await readNewest(this.connection, this.names.sweeps);
    if (newest === null) return { revision: "noStream", position: await this.firstPosition(), isUnderWay: false };
    const { position } = newest.data as unknown as { readonly position: string };
    const isUnderWay = newest.type === "TextSweepBegun" && Date.now() - newest.created.getTime() < longestSweepMs;
    return { revision: Number(newest.revision), position: toPosition(BigInt(position)), isUnderWay };
  }

  /** No text of this tenant is older than the tenant. */
  private async firstPosition(): Promise<Position> {
    const [claim] = await readForwards(this.connection, this.names.claim, { fromRevision: 0, maxCount: 1 });
    return claim === undefined ? beginning : positionOf(claim);
  }

  /** Null where another process noted something first. */
  private async note(
    expectedRevision: ExpectedRevision,
    type: "TextSweepBegun" | "TextsSwept",
    position: Position,
  ): Promise<number | null> {
    const events = [jsonEvent({ type, data: { position: String(position) } })];
    const outcome = await append(this.connection, { stream: this.names.sweeps, expectedRevision, events });
    return outcome.kind === "appended" ? outcome.revision : null;
  }
}
