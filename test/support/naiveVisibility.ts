import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { DocumentAccess } from "../../src/events/document.js";
import { beginning } from "../../src/shared/position.js";
import { NaiveMembers, pairOf } from "./naiveMembers.js";
import { NaiveReplay, type Pair } from "./naiveReplay.js";
import { allPairs } from "./permissionHistories.js";

/** Who of these sees what between which positions, one line per interval: `email document from until`; sorted. */
export function naiveVisibility(
  events: readonly RecordedEvent[],
  upTo: bigint,
  pairs: readonly Pair[] = allPairs,
): readonly string[] {
  const seen = seenAfterEach(events, upTo, pairs);
  return pairs
    .flatMap((pair, index) =>
      linesOf(
        pair,
        seen.map(({ position, sees }) => ({ position, sees: sees[index] === true })),
      ),
    )
    .sort();
}

/** The same, of what is seen in the first history and not in the second. They have the same positions. */
export function naiveExposure(
  withFact: readonly RecordedEvent[],
  without: readonly RecordedEvent[],
  upTo: bigint,
): readonly string[] {
  const [seen, anyway] = [seenAfterEach(withFact, upTo, allPairs), seenAfterEach(without, upTo, allPairs)];
  const differs = (index: number) =>
    seen.map(({ position, sees }, step) => ({
      position,
      sees: sees[index] === true && anyway[step]?.sees[index] === false,
    }));
  return allPairs.flatMap((pair, index) => linesOf(pair, differs(index))).sort();
}

interface Step {
  readonly position: bigint;
  readonly sees: readonly boolean[];
}

function seenAfterEach(events: readonly RecordedEvent[], upTo: bigint, pairs: readonly Pair[]): readonly Step[] {
  const naive = new NaiveReplay([], beginning);
  return events
    .filter(({ position }) => position <= upTo)
    .map((event) => {
      naive.follow(event);
      return { position: event.position, sees: pairs.map((pair) => naive.maySee(pair)) };
    });
}

function linesOf(
  { email, datasource, documentId }: Pair,
  steps: readonly { readonly position: bigint; readonly sees: boolean }[],
): readonly string[] {
  const lines: string[] = [];
  let from: bigint | null = null;
  const line = (until: string): number => lines.push(`${email} ${datasource}/${documentId} ${from} ${until}`);
  for (const { position, sees } of steps) {
    if (sees && from === null) from = position;
    if (sees || from === null) continue;
    line(String(position));
    from = null;
  }
  if (from !== null) line("still");
  return lines;
}

/**
 * The same history, had the facts that this event opened never been: a nesting or registration does not happen, a
 * group has a name that nobody uses until its next one, grants and memberships are missing for as long as they went on.
 */
export function withoutFactsOf(events: readonly RecordedEvent[], chosen: RecordedEvent): readonly RecordedEvent[] {
  const { type } = chosen.event;
  const opened = openedMemberships(events, chosen);
  if (opened.size > 0) return withoutMemberships(events, chosen, opened);
  if (type === "MembershipAdded" || type === "UserRegistered")
    return replaced(events, chosen, (each) => ({ ...each, event: { type: "DocumentDeleted", data: {} } }) as never);
  if (type === "GroupCreated" || type === "GroupRenamed") {
    return replaced(
      events,
      chosen,
      (each) =>
        ({ ...each, event: { ...each.event, data: { ...each.event.data, name: "a name of nobody" } } }) as never,
    );
  }
  return type === "DocumentIndexed" ? withoutGrants(events, chosen, openedGrants(events, chosen)) : events;
}

/** The memberships of people that begin with an event. */
function openedMemberships(events: readonly RecordedEvent[], chosen: RecordedEvent): ReadonlySet<string> {
  const members = new NaiveMembers();
  for (const each of events) {
    const { joined } = members.follow(each.event);
    if (each === chosen) return new Set(joined.map(pairOf));
  }
  return new Set();
}

/** Nobody joins by one of these memberships, from this event on until it would have ended. */
function withoutMemberships(
  events: readonly RecordedEvent[],
  chosen: RecordedEvent,
  memberships: ReadonlySet<string>,
): readonly RecordedEvent[] {
  const going = new Set(memberships);
  const members = new NaiveMembers();
  return events.map((each) => {
    const { event } = each;
    const { left } = members.follow(event);
    if (each.position < chosen.position) return each;
    for (const ended of left) going.delete(pairOf(ended));
    if (event.type === "GroupMembersReplaced") {
      const { groupId } = event.data;
      const joined = event.data.joined.filter((email) => !going.has(pairOf({ groupId, email })));
      return { ...each, event: { ...event, data: { ...event.data, joined } } };
    }
    const isGoing =
      event.type === "MembershipAdded" &&
      event.data.member.kind === "user" &&
      going.has(pairOf({ groupId: event.data.groupId, email: event.data.member.email }));
    return isGoing ? ({ ...each, event: { type: "DocumentDeleted", data: {} } } as never) : each;
  });
}

const replaced = (
  events: readonly RecordedEvent[],
  chosen: RecordedEvent,
  by: (event: RecordedEvent) => RecordedEvent,
): readonly RecordedEvent[] => events.map((event) => (event === chosen ? by(event) : event));

/** Whom an event lets see its document; nobody where it is about something else. */
export function accessIn({ event }: RecordedEvent): DocumentAccess {
  return event.type === "DocumentIndexed" ? event.data.access : { anonymous: false, users: [], groups: [] };
}

/** Grants as words: `anonymous`, `user {email}`, `group {name}`. */
const grantsIn = (event: RecordedEvent | undefined): readonly string[] => {
  if (event === undefined) return [];
  const { anonymous, users, groups } = accessIn(event);
  return [
    ...(anonymous ? ["anonymous"] : []),
    ...users.map((email) => `user ${email}`),
    ...groups.map((name) => `group ${name}`),
  ];
};

/** Grants that begin with an event of a document. */
export function openedGrants(events: readonly RecordedEvent[], chosen: RecordedEvent): readonly string[] {
  const before = grantsIn(
    events.findLast(({ stream, position }) => stream === chosen.stream && position < chosen.position),
  );
  return grantsIn(chosen).filter((grant) => !before.includes(grant));
}

/** Each of these grants is taken out of the document's events from this one on, as long as they repeat it. */
export function withoutGrants(
  events: readonly RecordedEvent[],
  chosen: RecordedEvent,
  grants: readonly string[],
): readonly RecordedEvent[] {
  let going = new Set(grants);
  return events.map((each) => {
    if (each.stream !== chosen.stream || each.position < chosen.position) return each;
    going = new Set([...going].filter((grant) => grantsIn(each).includes(grant)));
    if (each.event.type !== "DocumentIndexed") return each;
    const { anonymous, users, groups } = each.event.data.access;
    const access: DocumentAccess = {
      anonymous: anonymous && !going.has("anonymous"),
      users: users.filter((email) => !going.has(`user ${email}`)),
      groups: groups.filter((name) => !going.has(`group ${name}`)),
    };
    return { ...each, event: { ...each.event, data: { ...each.event.data, access } } };
  });
}
