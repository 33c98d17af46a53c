import type { RecordedEvent } from "../src/events/domainEvent.js";
import type { ParkedEventDiscarded, ProjectionEvent } from "../src/events/projection.js";
import { toldOfPeople, formatScope, parseScope, type Scope } from "../src/events/scope.js";
import { categoryOf, type StreamName } from "../src/events/streams.js";
import { toPosition, type Position } from "../src/shared/position.js";
import { positionBefore } from "../src/events/eventSource.js";
import { CheckpointConflict, eventsUpTo, SteppedReplay, StreamReplay, type ScopeRestoring } from "./scopeReplay.js";

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
