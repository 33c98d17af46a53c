import { match } from "ts-pattern";
import type { GroupId } from "../../shared/ids.js";
import { close, open, openNow, openOf, type Intervals } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

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
