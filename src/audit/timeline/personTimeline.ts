import { match } from "ts-pattern";
import type { GroupId } from "../../shared/ids.js";
import { close, open, openOf, type Intervals } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

/** A person on one incarnation of a datasource: registered, and a member, now and then. */
export interface PersonTimeline {
  readonly registrations: Intervals;
  /** Direct memberships. */
  readonly groups: Map<GroupId, Intervals>;
}

/** What a person's stream tells. */
export const personTimeline: TimelineKind<"person", PersonTimeline> = {
  about: "person",
  empty: () => ({ registrations: [], groups: new Map() }),
  follow(person, fact, origin) {
    match(fact)
      .with({ kind: "registered" }, () => {
        open(person.registrations, { opened: origin, closed: null });
      })
      .with({ kind: "deleted" }, () => close(person.registrations, origin))
      .with({ kind: "joined" }, ({ groupId }) => openOf(person.groups, groupId, { opened: origin, closed: null }))
      .with({ kind: "left" }, ({ groupId }) => close(person.groups.get(groupId), origin))
      .with({ kind: "renamed" }, () => undefined)
      .exhaustive();
  },
  cacheCost: ({ registrations, groups }) => 1 + registrations.length + groups.size,
};
