import type { RecordedEvent } from "../src/events/domainEvent.js";
import type { ParkedEventDiscarded, ProjectionEvent } from "../src/events/projection.js";
import { toldOfPeople, formatScope, parseScope, type Scope } from "../src/events/scope.js";
import { categoryOf, type StreamName, type StreamCategory } from "../src/events/streams.js";
import { toPosition, type Position, beginning } from "../src/shared/position.js";
import { positionBefore, readUpTo, type ReadEvents } from "../src/events/eventSource.js";
import { isDiscardable } from "../src/events/discardable.js";
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

/**
 * Makes the requested scopes afresh, as of the request's position: their events are read from the log's beginning up to
 * there and followed anew, without those that were discarded. From then on the scopes' events are parked no longer.
 * Where an event of a scope cannot be applied (the parked one still, or a later one), that event is parked and the
 * scope fails closed. `after` is the checkpoint that all this follows; it ends at the request's position.
 */
export async function restoreScopes<Change>(
  restoring: ScopeRestoring<Change>,
  request: RestorationRequest,
  after: Position,
): Promise<"applied" | "checkpointConflict"> {
  const upTo = request.position;
  const { scopes, unparked } = await requestedBy(restoring, request);
  const discarded = await discardedUpTo(restoring, upTo);
  const streams: StreamReplay<Change>[] = [];
  const stepped: SteppedReplay<Change>[] = [];
  for (const scope of distinct(scopes)) {
    const restoration = restoring.projection.restoration?.(scope) ?? null;
    const place = { scopes: [formatScope(scope), ...unparked], after, upTo, discarded };
    if (restoration === null) continue;
    if ("stream" in restoration) streams.push(new StreamReplay(restoring, restoration, place));
    else stepped.push(new SteppedReplay(restoring, restoration, place));
  }
  try {
    await replayStreams(restoring, streams, upTo);
    for (const replay of stepped) await replay.run();
  } catch (error) {
    if (error instanceof CheckpointConflict) return "checkpointConflict";
    throw error;
  }
  return restoring.writer.apply({ after, position: upTo, changes: [], parked: [], landmarks: [request] });
}

/**
 * Several streams in one reading of the log. What the stream of groups' members tells of a person is of that one, too.
 */
async function replayStreams<Change>(
  restoring: ScopeRestoring<Change>,
  replays: readonly StreamReplay<Change>[],
  upTo: Position,
): Promise<void> {
  if (replays.length === 0) return;
  const byStream = new Map(replays.map((replay) => [replay.stream, replay]));
  const wanted = new Set([...byStream.keys()].map(categoryOf));
  if (wanted.has("user")) wanted.add("groupMembers");
  const categories = restoring.projection.categories.filter((category) => wanted.has(category));
  for await (const { events } of eventsUpTo(restoring, { categories, upTo })) {
    for (const event of events) {
      byStream.get(event.stream)?.follow(event);
      for (const { person, recorded } of toldOfPeople(event)) byStream.get(person)?.follow(recorded);
    }
  }
  for (const replay of replays) await replay.finish();
}

interface Requested {
  readonly scopes: readonly Scope[];
  /**
   * The stream of the event that was asked about: an event that could not be read may be parked under its stream, and
   * belong to another scope now that it can.
   */
  readonly unparked: readonly StreamName[];
}

/** What a request is about; nothing where the event that it names is not there. */
async function requestedBy<Change>(
  restoring: ScopeRestoring<Change>,
  { event, position }: RestorationRequest,
): Promise<Requested> {
  if (event.type === "ReadModelRepairRequested")
    return { scopes: event.data.scopes.map(parseScope).filter((scope) => scope !== null), unparked: [] };
  const { projection, source } = restoring;
  const at = toPosition(BigInt(event.data.position));
  const after = await positionBefore(source, at);
  const upTo = at < position ? at : position;
  for await (const { events } of eventsUpTo(restoring, { categories: projection.categories, after, upTo })) {
    const parked = events.find((recorded) => recorded.position === at);
    if (parked !== undefined) return { scopes: [projection.failClosed(parked).scope], unparked: [parked.stream] };
  }
  return { scopes: [], unparked: [] };
}

/** Where the events stand that operators have asked this version to pass over. */
async function discardedUpTo<Change>(
  restoring: ScopeRestoring<Change>,
  upTo: Position,
): Promise<ReadonlySet<Position>> {
  const positions = new Set<Position>();
  for await (const { events } of eventsUpTo(restoring, { categories: ["projection"], upTo })) {
    const discarded = events.filter(
      (recorded) => recorded.event.type === "ParkedEventDiscarded" && isRequestFor(restoring, recorded),
    );
    for (const { event } of discarded) positions.add(toPosition(BigInt((event as ParkedEventDiscarded).data.position)));
  }
  return positions;
}

const distinct = (scopes: readonly Scope[]): readonly Scope[] => [
  ...new Map(scopes.map((scope) => [formatScope(scope), scope])).values(),
];

/** What the restoring of scopes works with. */
interface ScopeRestoring<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  readonly source: EventSource;
  /** The version of the read model that is written: requests for other versions are passed over. */
  readonly version: number;
  readonly maxBatchSize: number;
  readonly signal: AbortSignal;
  onParked(event: ParkedEvent): void;
}

/** Another process projected meanwhile: nothing was written, and the restoring ends. */
class CheckpointConflict extends Error {
  override readonly name = "CheckpointConflict";
}

/** Reads a stretch of the log in batches; from the beginning where `after` is left out. */
const eventsUpTo = (
  { source, maxBatchSize, signal }: Pick<ScopeRestoring<unknown>, "source" | "maxBatchSize" | "signal">,
  {
    categories,
    after = beginning,
    upTo,
  }: { readonly categories: readonly StreamCategory[]; readonly after?: Position; readonly upTo: Position },
): AsyncGenerator<ReadEvents, void, void> => readUpTo({ log: source, after, upTo, categories, maxBatchSize, signal });

interface Place {
  /** The scopes as they are stored. Their events are parked no longer once the scope is whole. */
  readonly scopes: readonly string[];
  /** The checkpoint, which stays where it is until all scopes are restored. */
  readonly after: Position;
  readonly upTo: Position;
  /** Positions of events to be passed over, unless they take something away. */
  readonly discarded: ReadonlySet<Position>;
}

/** Follows the events of one scope anew. Throws {@link CheckpointConflict}. */
abstract class Replay<Change> {
  constructor(
    protected readonly restoring: ScopeRestoring<Change>,
    protected readonly place: Place,
  ) {}

  /** Throws for an event that could not be read, unless it is discarded. */
  protected changesOf(event: RecordedEvent, restoration: Restoration<Change>): readonly Change[] {
    const isDiscarded =
      this.place.discarded.has(event.position) && isDiscardable(this.restoring.projection.name, typeOf(event));
    if (event.unreadable === undefined || isDiscarded) return restoration.changes(event, isDiscarded);
    if (restoration.ofUnreadable === undefined) throw event.unreadable.reason;
    return restoration.ofUnreadable(event);
  }

  /** `isWhole`: nothing of the scope is missing after this commit. */
  protected async commit(changes: readonly Change[], isWhole: boolean): Promise<void> {
    const { after, scopes } = this.place;
    const restored = isWhole ? scopes : [];
    const outcome = await this.restoring.writer.apply({ after, position: after, changes, parked: [], restored });
    if (outcome === "checkpointConflict") throw new CheckpointConflict();
  }

  /** The scope fails closed, as for any event that cannot be applied. */
  protected async park(event: RecordedEvent, { error }: Fault): Promise<void> {
    const { after } = this.place;
    const outcome = await parkEvent(this.restoring, event, error, { after, position: after });
    if (outcome === "checkpointConflict") throw new CheckpointConflict();
  }
}

/** A scope that is one stream: its changes are gathered first and committed at once. */
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

  get stream(): StreamName {
    return this.restoration.stream;
  }

  /** Takes the stream's next event; after one that cannot be applied, nothing more. */
  follow(event: RecordedEvent): void {
    if (this.fault !== null) return;
    this.last = event;
    try {
      this.gathered.push(...this.changesOf(event, this.restoration));
    } catch (error) {
      this.fault = { error };
    }
  }

  /** Commits what was gathered, or parks the event that could not be applied. */
  async finish(): Promise<void> {
    const { condense = (changes: readonly Change[]) => changes } = this.restoration;
    const fault = this.fault ?? (await faultOf(() => this.commit(condense(this.gathered), true)));
    if (fault === null) return;
    if (this.last === null) throw fault.error;
    await this.park(this.last, fault);
  }
}

/** A scope with many events: they are committed as they are read, and the scope opens with the last commit. */
class SteppedReplay<Change> extends Replay<Change> {
  constructor(
    restoring: ScopeRestoring<Change>,
    private readonly restoration: SteppedRestoration<Change>,
    place: Place,
  ) {
    super(restoring, place);
  }

  /** Ends early, with the scope closed, where an event was parked. */
  async run(): Promise<void> {
    const { categories, before, after } = this.restoration;
    for (const changes of before) await this.commit(changes, false);
    for await (const { events } of eventsUpTo(this.restoring, { categories, upTo: this.place.upTo })) {
      const parked = await this.step(events.filter((event) => this.restoration.includes(event)));
      if (parked) return;
    }
    await this.commit(after, true);
  }

  /** Where one of these events is at fault, each is followed on its own. True where one was parked. */
  private async step(events: readonly RecordedEvent[]): Promise<boolean> {
    if (events.length === 0 || (await this.follow(events)) === null) return false;
    for (const event of events) {
      const fault = await this.follow([event]);
      if (fault === null) continue;
      await this.park(event, fault);
      return true;
    }
    return false;
  }

  private follow(events: readonly RecordedEvent[]): Promise<Fault | null> {
    return faultOf(() =>
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

/** The fault that the events have; null where they have none. Throws where something else failed. */
async function faultOf(work: () => Promise<void>): Promise<Fault | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof CheckpointConflict) throw error;
    return { error };
  }
}
