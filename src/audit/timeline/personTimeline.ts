import { match } from "ts-pattern";
import type { GroupId } from "../../shared/ids.js";
import { close, openOf, type Intervals, type Origin } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

/** A person on one incarnation of a datasource: registered once and for all, a member now and then. */
export interface PersonTimeline {
  registered: Origin | null;
  /** Direct memberships. */
  readonly groups: Map<GroupId, Intervals>;
}

/** What a person's stream tells. */
export const personTimeline: TimelineKind<"person", PersonTimeline> = {
  about: "person",
  empty: () => ({ registered: null, groups: new Map() }),
  follow(person, fact, origin) {
    match(fact)
      .with({ kind: "registered" }, () => {
        person.registered ??= origin;
      })
      .with({ kind: "joined" }, ({ groupId }) => openOf(person.groups, groupId, { opened: origin, closed: null }))
      .with({ kind: "left" }, ({ groupId }) => close(person.groups.get(groupId), origin))
      .with({ kind: "renamed" }, () => undefined)
      .exhaustive();
  },
  cacheCost: ({ groups }) => 1 + groups.size,
};
