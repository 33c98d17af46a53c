import { LRUCache } from "lru-cache";
import { match } from "ts-pattern";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import { type StreamName, groupMembersStream, userStream } from "../../events/streams.js";
import { beginning, type Position, type Revision } from "../../shared/position.js";
import { UnreadableEvent } from "../../shared/failures.js";
import type { LogReader } from "../ports/log.js";
import {
  originOf,
  type Origin,
  close,
  type Interval,
  type Intervals,
  open,
  openOf,
  openNow,
  endedBy,
  openAt,
} from "./intervals.js";
import { permissionFactsOf, type FactAbout, type PermissionSubject } from "./permissionFact.js";
import type { DatasourceId, Email, GroupId } from "../../shared/ids.js";
import type { DocumentAccess } from "../../events/document.js";

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
function follow<About extends PermissionSubject, Timeline>(
  kind: TimelineKind<About, Timeline>,
  timeline: Timeline,
  recorded: RecordedEvent,
): void {
  for (const fact of permissionFactsOf(recorded.event))
    if (fact.about === kind.about) kind.follow(timeline, fact as FactAbout<About>, originOf(recorded));
}

/** One registration of a datasource's name. */
export interface IncarnationInterval extends Interval {
  readonly datasourceId: DatasourceId;
}

/** Every incarnation of one name. */
export const incarnationTimeline: TimelineKind<"incarnation", Intervals<IncarnationInterval>> = {
  about: "incarnation",
  empty: () => [],
  follow(incarnations, fact, origin) {
    match(fact)
      .with({ kind: "opened" }, ({ datasourceId }) => {
        incarnations.push({ datasourceId, opened: origin, closed: null });
      })
      .with({ kind: "closed" }, ({ datasourceId }) =>
        close(
          incarnations.filter((incarnation) => incarnation.datasourceId === datasourceId),
          origin,
        ),
      )
      .exhaustive();
  },
  cacheCost: (incarnations) => incarnations.length,
};

/** A document of one incarnation of a datasource. Being indexed again with the same access list closes nothing. */
export interface DocumentTimeline {
  readonly existence: Intervals;
  readonly anonymous: Intervals;
  readonly users: Map<Email, Intervals>;
  /** Keyed by the names that the document grants, whichever groups bear them. */
  readonly groups: Map<string, Intervals>;
  /** While no permissions were sent, and the datasource's `defaultAccess` decided. */
  readonly byDefault: Intervals;
  /** Every version, in order. */
  readonly versions: Origin[];
}

const nobody: DocumentAccess = { anonymous: false, users: [], groups: [] };

/** What a document's stream tells. */
export const documentTimeline: TimelineKind<"document", DocumentTimeline> = {
  about: "document",
  empty: () => ({ existence: [], anonymous: [], users: new Map(), groups: new Map(), byDefault: [], versions: [] }),
  follow(document, fact, origin) {
    match(fact)
      .with({ kind: "indexed" }, ({ access }) => {
        document.versions.push(origin);
        open(document.existence, { opened: origin, closed: null });
        grant(document, access, origin);
      })
      .with({ kind: "deleted" }, () => {
        close(document.existence, origin);
        grant(document, nobody, origin);
      })
      .exhaustive();
  },
  cacheCost: ({ versions, users, groups }) => 1 + versions.length + users.size + groups.size,
};

/** From here on exactly these are granted. */
function grant(
  { anonymous, users, groups, byDefault }: DocumentTimeline,
  access: DocumentAccess,
  origin: Origin,
): void {
  if (access.isDefault === true) open(byDefault, { opened: origin, closed: null });
  else close(byDefault, origin);
  if (access.anonymous) open(anonymous, { opened: origin, closed: null });
  else close(anonymous, origin);
  grantOnly(users, access.users, origin);
  grantOnly(groups, access.groups, origin);
}

function grantOnly<Name extends string>(grants: Map<Name, Intervals>, granted: readonly Name[], origin: Origin): void {
  const kept = new Set(granted);
  for (const [name, intervals] of grants) if (!kept.has(name)) close(intervals, origin);
  for (const name of granted) openOf(grants, name, { opened: origin, closed: null });
}

/** A person on one incarnation of a datasource: registered, and a member, now and then. */
export interface PersonTimeline {
  readonly registrations: Intervals;
  /** Direct memberships. */
  readonly groups: Map<GroupId, Intervals>;
}

/** What is told of a person, by whichever stream. */
export const personTimeline: TimelineKind<"person", PersonTimeline> = {
  about: "person",
  empty: () => ({ registrations: [], groups: new Map() }),
  follow(person, fact, origin) {
    match(fact)
      .with({ kind: "registered" }, () => {
        open(person.registrations, { opened: origin, closed: null });
      })
      .with({ kind: "deleted" }, () => {
        close(person.registrations, origin);
        for (const memberships of person.groups.values()) close(memberships, origin);
      })
      .with({ kind: "joined" }, ({ groupId }) => {
        if (openNow(person.registrations) !== null) openOf(person.groups, groupId, { opened: origin, closed: null });
      })
      .with({ kind: "left" }, ({ groupId }) => close(person.groups.get(groupId), origin))
      .with({ kind: "renamed" }, () => undefined)
      .exhaustive();
  },
  cacheCost: ({ registrations, groups }) => 1 + registrations.length + groups.size,
};

/** Something that an event told of a person. */
interface PersonTold {
  readonly fact: FactAbout<"person">;
  readonly origin: Origin;
}

/** What a person's own stream tells. */
const ownFacts: TimelineKind<"person", PersonTold[]> = {
  about: "person",
  empty: () => [],
  follow: (told, fact, origin) => void told.push({ fact, origin }),
  cacheCost: (told) => 1 + told.length,
};

interface ToldOfMembers {
  readonly byPerson: Map<Email, PersonTold[]>;
  facts: number;
}

/** What the stream of groups' members tells of everybody. */
const factsOfMembers: TimelineKind<"person", ToldOfMembers> = {
  about: "person",
  empty: () => ({ byPerson: new Map(), facts: 0 }),
  follow(told, fact, origin) {
    const known = told.byPerson.get(fact.email);
    if (known === undefined) told.byPerson.set(fact.email, [{ fact, origin }]);
    else known.push({ fact, origin });
    told.facts++;
  },
  cacheCost: ({ byPerson, facts }) => 1 + byPerson.size + facts,
};

/**
 * The timeline of a person, of both streams that tell of one, complete up to `upTo` at least. Throws an
 * `UnreadableEvent` where one stands in them by then.
 */
export async function loadPerson(
  timelines: StreamTimelines,
  { datasourceId, email }: { readonly datasourceId: DatasourceId; readonly email: Email },
  upTo: Position,
): Promise<PersonTimeline> {
  const [own, members] = await Promise.all([
    timelines.load(ownFacts, userStream(datasourceId, email), upTo),
    timelines.load(factsOfMembers, groupMembersStream(datasourceId), upTo),
  ]);
  // What is later may be known of one of the streams alone.
  const told = [...own, ...(members.byPerson.get(email) ?? [])].filter(({ origin }) => origin.position <= upTo);
  const person = personTimeline.empty();
  for (const { fact, origin } of told.sort((a, b) => Number(a.origin.position - b.origin.position)))
    personTimeline.follow(person, fact, origin);
  return person;
}

/** For how long a name meant this group. */
export interface NamingInterval extends Interval {
  readonly groupId: GroupId;
  readonly name: string;
}

/** What a group was called, and which groups contained it. */
export interface GroupTimeline {
  readonly names: Intervals<NamingInterval>;
  /** Groups that this one was a direct member of; null until there is one. */
  parents: Map<GroupId, Intervals> | null;
}

/** The groups of one incarnation of a datasource. */
export interface GroupGraphTimeline {
  readonly names: Map<string, Intervals<NamingInterval>>;
  readonly groups: Map<GroupId, GroupTimeline>;
  nestings: number;
}

/** What is told of one group. */
export const groupTimeline: TimelineKind<"group", GroupTimeline> = {
  about: "group",
  empty: () => ({ names: [], parents: null }),
  follow(group, fact, origin) {
    match(fact)
      .with({ kind: "created" }, { kind: "renamed" }, ({ groupId, name }) => {
        if (openNow(group.names)?.name === name) return;
        close(group.names, origin);
        group.names.push({ groupId, name, opened: origin, closed: null });
      })
      .with({ kind: "deleted" }, () => close(group.names, origin))
      .with({ kind: "joined" }, ({ parentId }) => {
        group.parents ??= new Map();
        openOf(group.parents, parentId, { opened: origin, closed: null });
      })
      .with({ kind: "left" }, ({ parentId }) => close(group.parents?.get(parentId), origin))
      .exhaustive();
  },
  cacheCost: ({ names, parents }) => 1 + names.length + (parents?.size ?? 0),
};

/** What a group graph's stream tells. */
export const groupGraphTimeline: TimelineKind<"group", GroupGraphTimeline> = {
  about: "group",
  empty: () => ({ names: new Map(), groups: new Map(), nestings: 0 }),
  follow(graph, fact, origin) {
    const group = groupIn(graph, fact.groupId);
    groupTimeline.follow(group, fact, origin);
    if (fact.kind === "joined") graph.nestings++;
    if (fact.kind === "deleted") close(graph.names.get(fact.name), origin);
    const naming = group.names.at(-1);
    if (naming?.opened !== origin) return;
    if (fact.kind === "renamed") close(graph.names.get(fact.previousName), origin);
    openOf(graph.names, naming.name, naming);
  },
  cacheCost: ({ groups, nestings }) => 4 * groups.size + 2 * nestings,
};

/** What a group was called at a position, or last before it; its id where it was not there yet. */
export function nameAt({ groups }: GroupGraphTimeline, groupId: GroupId, position: Position): string {
  const names = groups.get(groupId)?.names;
  return (openAt(names, position) ?? endedBy(names, position))?.name ?? groupId;
}

function groupIn({ groups }: GroupGraphTimeline, groupId: GroupId): GroupTimeline {
  const known = groups.get(groupId);
  if (known !== undefined) return known;
  const group = groupTimeline.empty();
  groups.set(groupId, group);
  return group;
}
