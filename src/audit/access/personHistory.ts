import type { RecordedEvent } from "../../events/domainEvent.js";
import type { GroupId } from "../../shared/ids.js";
import { close, open, originOf, type Origin, type Timeline } from "./intervals.js";
import type { HistoryKind } from "./streamHistories.js";

/** A person on one datasource incarnation: registered once and for all, a member now and then. */
export interface PersonHistory {
  registered: Origin | null;
  /** Direct memberships. */
  readonly groups: Map<GroupId, Timeline>;
}

/** The history in a person's stream. */
export const personHistory: HistoryKind<PersonHistory> = {
  empty: () => ({ registered: null, groups: new Map() }),
  follow(person, recorded: RecordedEvent) {
    const { event } = recorded;
    const origin = originOf(recorded);
    if (event.type === "UserRegistered") person.registered ??= origin;
    if (event.type === "MembershipAdded") open(person.groups, event.data.groupId, { opened: origin, closed: null });
    if (event.type === "MembershipRemoved") close(person.groups.get(event.data.groupId), origin);
  },
  weigh: ({ groups }) => 1 + groups.size,
};
