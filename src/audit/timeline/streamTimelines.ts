import { LRUCache } from "lru-cache";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import type { StreamName } from "../../events/streams.js";
import { beginning, type Position, type Revision } from "../../shared/position.js";
import { UnreadableEvent } from "../../shared/unreadableEvent.js";
import type { LogReader } from "../ports/log.js";
import { originOf, type Origin } from "./intervals.js";
import { permissionFactsOf, type FactAbout, type PermissionSubject } from "./permissionFact.js";

/** How the facts of a kind of stream become a timeline: everything that was ever so, and from when until when. */
export interface TimelineKind<About extends PermissionSubject, Timeline> {
  /** The kind of thing that the stream's facts are about. */
  readonly about: About;
  empty(): Timeline;
  /** Changes the timeline in place. What it held of earlier positions stays true. */
  follow(timeline: Timeline, fact: FactAbout<About>, origin: Origin): void;
  /** About one per thing it remembers. */
  cacheCost(timeline: Timeline): number;
}

interface Known {
  readonly timeline: unknown;
  /** Revision of the newest event that is in it; -1 where the stream is empty. */
  revision: number;
  /** Everything up to here is in it. */
  upTo: Position;
  /** The event that cannot be read: nothing is known from there on. null: everything is. */
  unreadable: UnreadableEvent | null;
}

/** Some 200 bytes each. */
const maxCost = 1_000_000;
/** However large a timeline is, others must fit beside it. */
const maxCostOfOne = maxCost / 4;
/** A long stream is read in parts; the log gives the event loop its turns between them. */
const eventsPerRead = 1_024;

/**
 * Timelines of streams, the most recently used ones kept in memory. They are read on from where they were left, so a
 * question costs what happened since the one before; a moment that is behind costs nothing.
 */
export class StreamTimelines {
  private readonly known = new LRUCache<StreamName, Known>({ maxSize: maxCost });
  private readonly reading = new Map<StreamName, Promise<unknown>>();

  constructor(private readonly log: LogReader) {}

  /**
   * The timeline of a stream, complete up to `upTo` at least; what is later is in it too. Throws an `UnreadableEvent`
   * where one stands at or before `upTo`: what is not known is not guessed.
   */
  async load<About extends PermissionSubject, Timeline>(
    kind: TimelineKind<About, Timeline>,
    stream: StreamName,
    upTo: Position,
  ): Promise<Timeline> {
    for (;;) {
      const known = this.known.get(stream);
      if (known !== undefined && (known.unreadable !== null || known.upTo >= upTo))
        return timelineIn<Timeline>(known, upTo);
      // A timeline changes in place, so that one reads it on at a time.
      const underWay = this.reading.get(stream);
      if (underWay === undefined) return this.readOn(kind, stream, known, upTo);
      await underWay.catch(() => undefined);
    }
  }

  private async readOn<About extends PermissionSubject, Timeline>(
    kind: TimelineKind<About, Timeline>,
    stream: StreamName,
    known: Known | undefined,
    upTo: Position,
  ): Promise<Timeline> {
    const current = known ?? { timeline: kind.empty(), revision: -1, upTo: beginning, unreadable: null };
    const read = this.followTo(kind, stream, current, upTo);
    this.reading.set(stream, read);
    try {
      await read;
    } catch (error) {
      this.known.delete(stream);
      throw error;
    } finally {
      this.reading.delete(stream);
    }
    this.known.set(stream, current, {
      size: Math.min(Math.max(1, kind.cacheCost(current.timeline as Timeline)), maxCostOfOne),
    });
    return timelineIn<Timeline>(current, upTo);
  }

  private async followTo<About extends PermissionSubject, Timeline>(
    kind: TimelineKind<About, Timeline>,
    stream: StreamName,
    current: Known,
    upTo: Position,
  ): Promise<void> {
    for (;;) {
      const { events, unreadable } = await this.readSome(stream, current.revision + 1);
      for (const event of events) follow(kind, current.timeline as Timeline, event);
      current.revision = events.at(-1)?.revision ?? current.revision;
      current.unreadable = unreadable;
      if (unreadable !== null || events.length < eventsPerRead) break;
    }
    current.upTo = upTo;
  }

  /** Some events, or those before the first that cannot be read. */
  private async readSome(
    stream: StreamName,
    from: Revision,
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly unreadable: UnreadableEvent | null }> {
    try {
      const events = await this.log.readStream(stream, from, eventsPerRead);
      const unknown = events.find(({ event }) => !isEventType(event.type));
      if (unknown === undefined) return { events, unreadable: null };
      const { event, revision, position } = unknown;
      const unreadable = new UnreadableEvent(
        `${event.type} at position ${position} is of a type that this program does not know.`,
        { revision, position },
      );
      return { events: events.filter((each) => each.revision < revision), unreadable };
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      const events = error.revision > from ? await this.log.readStream(stream, from, error.revision - from) : [];
      return { events, unreadable: error };
    }
  }
}

function timelineIn<Timeline>({ timeline, unreadable }: Known, upTo: Position): Timeline {
  if (unreadable !== null && unreadable.position <= upTo) throw unreadable;
  return timeline as Timeline;
}

/** Brings a timeline up to an event of its stream. */
export function follow<About extends PermissionSubject, Timeline>(
  kind: TimelineKind<About, Timeline>,
  timeline: Timeline,
  recorded: RecordedEvent,
): void {
  for (const fact of permissionFactsOf(recorded.event))
    if (fact.about === kind.about) kind.follow(timeline, fact as FactAbout<About>, originOf(recorded));
}
