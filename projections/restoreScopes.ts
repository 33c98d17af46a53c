import { discardable, type ParkedEventDiscarded, type ProjectionEvent } from "../src/events/projection.js";
import type { RecordedEvent } from "../src/events/domainEvent.js";
import { beginning, toPosition, type Position } from "../src/shared/position.js";
import { positionBefore, readUpTo } from "../src/shared/readUpTo.js";
import { parkEvent, typeOf } from "./parkEvent.js";
import {
  EngineUnavailable,
  type EventSource,
  type ParkedEvent,
  type Projection,
  type ProjectionWriter,
  type Restoration,
  type SteppedRestoration,
  type StreamRestoration,
} from "./ports.js";

/** What the restoring of scopes works with. */
export interface ScopeRestoring<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  readonly source: EventSource;
  /** The version of the read model that is written: requests for others are not for this one. */
  readonly version: number;
  readonly maxBatchSize: number;
  readonly signal: AbortSignal;
  onParked(event: ParkedEvent): void;
}

/** An event that asks for scopes to be projected afresh. */
export type RestorationRequest = RecordedEvent<
  Extract<
    ProjectionEvent,
    { readonly type: "ParkedEventRetried" | "ParkedEventDiscarded" | "ReadModelRepairRequested" }
  >
>;

/** Whether this event asks this version of this projection for something. */
export function isRequestFor(
  { projection, version }: Pick<ScopeRestoring<unknown>, "projection" | "version">,
  { event }: RecordedEvent,
): boolean {
  if (
    event.type !== "ParkedEventRetried" &&
    event.type !== "ParkedEventDiscarded" &&
    event.type !== "ReadModelRepairRequested"
  )
    return false;
  return event.data.projection === projection.name && event.data.version === version;
}

type Outcome = "applied" | "checkpointConflict";

/**
 * Projects the scopes that are asked for afresh, as of the request's position: their events are read from the log's
 * beginning up to there and followed anew, without those that were discarded. If that succeeds, the scopes' events are
 * no longer parked. If an event of a scope cannot be applied (the same one, or one that came after it), that one is
 * parked and the scope fails closed. `after` is the checkpoint that all this follows; it ends at the request.
 */
export async function restoreScopes<Change>(
  restoring: ScopeRestoring<Change>,
  request: RestorationRequest,
  after: Position,
): Promise<Outcome> {
  const asked = await scopesOf(restoring, request);
  const place = { ...asked, after, upTo: request.position, leftOut: await discardedUpTo(restoring, request.position) };
  const scopes = [...new Set(asked.scopes)].flatMap((scope) => {
    const restoration = restoring.projection.restoration?.(scope) ?? null;
    return restoration === null ? [] : [{ scope, restoration }];
  });
  const streams = scopes.flatMap(({ scope, restoration }) =>
    "stream" in restoration ? [new StreamReplay(restoring, restoration, { ...place, scope })] : [],
  );
  if ((await replayStreams(restoring, streams, request.position)) === "checkpointConflict") return "checkpointConflict";
  for (const { scope, restoration } of scopes) {
    if ("stream" in restoration) continue;
    if ((await new SteppedReplay(restoring, restoration, { ...place, scope }).run()) === "checkpointConflict")
      return "checkpointConflict";
  }
  return restoring.writer.apply({ after, position: request.position, changes: [], parked: [] });
}

async function scopesOf<Change>(
  { projection, source, maxBatchSize, signal }: ScopeRestoring<Change>,
  { event, position }: RestorationRequest,
): Promise<{ readonly scopes: readonly string[]; readonly alsoRestored: readonly string[] }> {
  if (event.type === "ReadModelRepairRequested") return { scopes: event.data.scopes, alsoRestored: [] };
  const at = toPosition(BigInt(event.data.position));
  const upTo = at < position ? at : position;
  const after = await positionBefore(source, at);
  for await (const { events } of readUpTo({
    log: source,
    after,
    upTo,
    categories: projection.categories,
    maxBatchSize,
    signal,
  })) {
    const parked = events.find((recorded) => recorded.position === at);
    if (parked !== undefined) return { scopes: [projection.failClosed(parked).scope], alsoRestored: [parked.stream] };
  }
  return { scopes: [], alsoRestored: [] };
}

/** An event that takes something away is never left out, whoever asked for it. */
async function discardedUpTo<Change>(
  { projection, version, source, maxBatchSize, signal }: ScopeRestoring<Change>,
  upTo: Position,
): Promise<ReadonlySet<Position>> {
  const positions = new Set<Position>();
  for await (const { events } of readUpTo({
    log: source,
    after: beginning,
    upTo,
    categories: ["projection"],
    maxBatchSize,
    signal,
  })) {
    const discarded = events.filter(
      (recorded) => recorded.event.type === "ParkedEventDiscarded" && isRequestFor({ projection, version }, recorded),
    );
    for (const { event } of discarded) positions.add(toPosition(BigInt((event as ParkedEventDiscarded).data.position)));
  }
  return positions;
}

interface Place {
  /** The scope that a parked event had while it could not be read. */
  readonly alsoRestored: readonly string[];
  readonly scope: string;
  readonly after: Position;
  readonly upTo: Position;
  readonly leftOut: ReadonlySet<Position>;
}

/** Projects one scope afresh. */
abstract class Replay<Change> {
  constructor(
    protected readonly restoring: ScopeRestoring<Change>,
    protected readonly place: Place,
  ) {}

  private isLeftOut(event: RecordedEvent): boolean {
    const harmless = (discardable as Readonly<Record<string, readonly string[]>>)[this.restoring.projection.name] ?? [];
    return this.place.leftOut.has(event.position) && harmless.includes(typeOf(event));
  }

  /** Throws for an event that could not be read, unless it is left out. */
  protected changesOf(event: RecordedEvent, restoration: Restoration<Change>): readonly Change[] {
    const isLeftOut = this.isLeftOut(event);
    if (event.unreadable === undefined || isLeftOut) return restoration.changes(event, isLeftOut);
    if (restoration.ofUnreadable === undefined) throw event.unreadable.reason;
    return restoration.ofUnreadable(event);
  }

  protected commit(changes: readonly Change[], isWhole: boolean): Promise<Outcome> {
    const { after, scope } = this.place;
    return this.restoring.writer.apply({
      after,
      position: after,
      changes,
      parked: [],
      restored: isWhole ? [scope, ...this.place.alsoRestored] : [],
    });
  }

  /** Its scope fails closed, as for any event that cannot be applied. */
  protected park(event: RecordedEvent, { error }: Fault): Promise<Outcome> {
    const { after } = this.place;
    return parkEvent(this.restoring, event, error, { after, position: after });
  }
}

/** A scope that is one stream: its changes are collected first and committed at once. */
class StreamReplay<Change> extends Replay<Change> {
  private readonly gathered: Change[];
  private last: RecordedEvent | null = null;
  private fault: Fault | null = null;

  constructor(
    restoring: ScopeRestoring<Change>,
    private readonly restoration: StreamRestoration<Change>,
    place: Place,
  ) {
    super(restoring, place);
    this.gathered = [...restoration.before];
  }

  get stream(): string {
    return this.restoration.stream;
  }

  follow(event: RecordedEvent): void {
    if (this.fault !== null) return;
    this.last = event;
    try {
      this.gathered.push(...this.changesOf(event, this.restoration));
    } catch (error) {
      this.fault = { error };
    }
  }

  async finish(): Promise<Outcome> {
    const { condense = (changes: readonly Change[]) => changes } = this.restoration;
    const outcome = this.fault ?? (await attempt(() => this.commit(condense(this.gathered), true)));
    if (typeof outcome === "string") return outcome;
    if (this.last === null) throw outcome.error;
    return this.park(this.last, outcome);
  }
}

/** Replays all these streams in one reading of the log. */
async function replayStreams<Change>(
  { projection, source, maxBatchSize, signal }: ScopeRestoring<Change>,
  replays: readonly StreamReplay<Change>[],
  upTo: Position,
): Promise<Outcome> {
  if (replays.length === 0) return "applied";
  const byStream = new Map(replays.map((replay) => [replay.stream, replay]));
  const categories = projection.categories.filter((category) =>
    replays.some(({ stream }) => stream.startsWith(`${category}-`)),
  );
  for await (const { events } of readUpTo({ log: source, after: beginning, upTo, categories, maxBatchSize, signal })) {
    for (const event of events) byStream.get(event.stream)?.follow(event);
  }
  for (const replay of replays) if ((await replay.finish()) === "checkpointConflict") return "checkpointConflict";
  return "applied";
}

/** A scope with many events: they are committed as they are read. */
class SteppedReplay<Change> extends Replay<Change> {
  constructor(
    restoring: ScopeRestoring<Change>,
    private readonly restoration: SteppedRestoration<Change>,
    place: Place,
  ) {
    super(restoring, place);
  }

  async run(): Promise<Outcome> {
    const { source, maxBatchSize, signal } = this.restoring;
    const { categories, before, after } = this.restoration;
    for (const changes of before)
      if ((await this.commit(changes, false)) === "checkpointConflict") return "checkpointConflict";
    for await (const { events } of readUpTo({
      log: source,
      after: beginning,
      upTo: this.place.upTo,
      categories,
      maxBatchSize,
      signal,
    })) {
      const outcome = await this.step(events.filter((event) => this.restoration.includes(event)));
      if (outcome !== "applied") return outcome === "parked" ? "applied" : outcome;
    }
    return this.commit(after, true);
  }

  /** If one of these events is at fault, each is tried on its own. */
  private async step(events: readonly RecordedEvent[]): Promise<Outcome | "parked"> {
    if (events.length === 0) return "applied";
    const outcome = await this.follow(events);
    if (typeof outcome === "string") return outcome;
    for (const event of events) {
      const alone = await this.follow([event]);
      if (alone === "checkpointConflict") return alone;
      if (alone === "applied") continue;
      return (await this.park(event, alone)) === "checkpointConflict" ? "checkpointConflict" : "parked";
    }
    return "applied";
  }

  private follow(events: readonly RecordedEvent[]): Promise<Outcome | Fault> {
    return attempt(async () =>
      this.commit(
        events.flatMap((event) => this.changesOf(event, this.restoration)),
        false,
      ),
    );
  }
}

interface Fault {
  readonly error: unknown;
}

/** Returns the fault where the events have one. Throws where the engine has one. */
async function attempt(work: () => Promise<Outcome>): Promise<Outcome | Fault> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    return { error };
  }
}
