import { createCommands } from "../../../commands/createCommands.js";
import type { EventLog, TextExtractor, AppendOutcome, AppendRequest } from "../../../commands/ports.js";
import type { PreloadedState } from "../../../commands/streamStates.js";
import { categoryOf, type StreamName } from "../../events/streams.js";
import { type Position, toPosition, type ExpectedRevision, type Revision } from "../../shared/position.js";
import type { LogReader } from "../ports/log.js";
import { groupGraphTimeline, type GroupGraphTimeline, type StreamTimelines } from "../timeline/streamTimelines.js";
import type { OpenTrial } from "./trial.js";
import type { GraphMap, GroupGraph, GroupNode } from "../../../commands/group/groupGraph.js";
import { openAt } from "../timeline/intervals.js";
import type { GroupId } from "../../shared/ids.js";
import type { RecordedEvent } from "../../events/domainEvent.js";

interface TrialServices {
  readonly log: Pick<EventLog, "readStream" | "readLast"> & Pick<LogReader, "head">;
  /** The timelines of questions about access: they have group graphs, which are long, folded for every position. */
  readonly timelines: StreamTimelines;
  readonly productName: string;
  readonly extractor?: TextExtractor;
}

/** Opens the write side on what the log held at a position, appending to memory. */
export const createOpenTrial =
  ({ log, timelines, productName, extractor }: TrialServices): OpenTrial =>
  async (at) => {
    const head = await log.head();
    const position = at ?? head;
    if (position > head) return null;
    const overlay = new OverlayEventLog(log, position);
    const commands = createCommands({
      log: overlay,
      productName,
      ...(extractor && { extractor }),
      now: () => new Date(),
      preloadedState: foldedGroupGraphs(timelines, overlay, position),
    });
    return { commands, position, events: () => overlay.appended.map(({ event }) => event) };
  };

/** What group graphs were at a position, from timelines that have them folded already. */
export const foldedGroupGraphs =
  (timelines: StreamTimelines, overlay: OverlayEventLog, upTo: Position): PreloadedState =>
  async (stream) => {
    if (categoryOf(stream) !== "groupGraph") return null;
    const last = await overlay.lastBelow(stream);
    if (last === null) return null;
    const { revision, position } = last;
    return { state: groupGraphAsOf(await timelines.load(groupGraphTimeline, stream, upTo), upTo), revision, position };
  };

/**
 * The group graph as a history tells it at a position, to be evolved like a folded one. Changes stay in it, and a group
 * costs nothing before it is asked for. The history may follow later events meanwhile.
 */
function groupGraphAsOf(history: GroupGraphTimeline, position: Position): GroupGraph {
  return {
    groups: new EvolvingMap(history.groups, (groupId: GroupId) => groupAt(history, groupId, position)),
    idsByName: new EvolvingMap(history.names, (name: string) => openAt(history.names.get(name), position)?.groupId),
  };
}

function groupAt({ groups }: GroupGraphTimeline, groupId: GroupId, position: Position): GroupNode | undefined {
  const group = groups.get(groupId);
  const naming = openAt(group?.names, position);
  if (group === undefined || naming === null) return undefined;
  const parents = [...(group.parents ?? [])]
    .filter(([, membership]) => openAt(membership, position) !== null)
    .map(([parent]) => parent);
  return { name: naming.name, parents };
}

/** Looks values up behind it, and remembers its own changes. */
class EvolvingMap<Key, Value> implements GraphMap<Key, Value> {
  private readonly own = new Map<Key, Value | null>();

  constructor(
    /** Holds every key that there may be a value for. */
    private readonly keys: ReadonlyMap<Key, unknown>,
    private readonly behind: (key: Key) => Value | undefined,
  ) {}

  get size(): number {
    return this.keys.size;
  }

  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const key of new Set([...this.keys.keys(), ...this.own.keys()])) {
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  get(key: Key): Value | undefined {
    const own = this.own.get(key);
    if (own !== undefined) return own ?? undefined;
    const found = this.behind(key);
    // Kept, since values change in place.
    if (found !== undefined) this.own.set(key, found);
    return found;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    this.own.set(key, value);
  }

  delete(key: Key): void {
    this.own.set(key, null);
  }
}

/**
 * A log that ends at a position and goes on in memory. What is appended comes after what the log holds, at positions of
 * its own, and goes away with this object. The log itself is only read; texts are not kept.
 */
export class OverlayEventLog implements EventLog {
  /** In the order in which they were appended. */
  readonly appended: RecordedEvent[] = [];
  private readonly streams = new Map<StreamName, RecordedEvent[]>();

  constructor(
    private readonly log: Pick<EventLog, "readStream" | "readLast">,
    private readonly asOf: Position,
  ) {}

  async readStream(stream: StreamName, fromRevision: Revision, maxCount = Infinity): Promise<readonly RecordedEvent[]> {
    const read = await this.log.readStream(stream, fromRevision, maxCount === Infinity ? undefined : maxCount);
    const below = read.filter(({ position }) => position <= this.asOf);
    // While the log may hold more, appended events wait for their turn.
    if (below.length === maxCount) return below;
    const above = (this.streams.get(stream) ?? []).filter(({ revision }) => revision >= fromRevision);
    return [...below, ...above].slice(0, maxCount);
  }

  readEvents(stream: StreamName, fromRevision: Revision, maxCount: number): Promise<readonly RecordedEvent[]> {
    return this.readStream(stream, fromRevision, maxCount);
  }

  async readLast(stream: StreamName): Promise<RecordedEvent | null> {
    return this.streams.get(stream)?.at(-1) ?? (await this.lastBelow(stream));
  }

  async append({ stream, expectedRevision, events }: AppendRequest): Promise<AppendOutcome> {
    const last = await this.readLast(stream);
    const actualRevision: ExpectedRevision = last?.revision ?? "noStream";
    if (actualRevision !== expectedRevision) return { kind: "conflict", actualRevision };
    const own = this.streams.get(stream) ?? [];
    this.streams.set(stream, own);
    let revision = last?.revision ?? -1;
    let position = this.asOf;
    for (const { id, event, metadata } of events) {
      position = toPosition(this.asOf + BigInt(this.appended.length) + 1n);
      const recorded: RecordedEvent = { id, stream, revision: ++revision, position, event, metadata };
      own.push(recorded);
      this.appended.push(recorded);
    }
    return { kind: "appended", revision, position };
  }

  /** The newest event of a stream that the log held at the position. */
  async lastBelow(stream: StreamName): Promise<RecordedEvent | null> {
    const newest = await this.log.readLast(stream);
    if (newest === null || newest.position <= this.asOf) return newest;
    // Positions rise with revisions, so a binary search finds the last event before the position.
    let last: RecordedEvent | null = null;
    for (let [low, high] = [0, newest.revision - 1]; low <= high;) {
      const middle = low + Math.ceil((high - low) / 2);
      const [event] = await this.log.readStream(stream, middle, 1);
      if (event !== undefined && event.position <= this.asOf) [last, low] = [event, middle + 1];
      else high = middle - 1;
    }
    return last;
  }
}
