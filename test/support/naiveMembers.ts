import type { DomainEvent } from "../../src/events/domainEvent.js";
import type { DatasourceId, Email, GroupId } from "../../src/shared/ids.js";

/** A person in a group. */
export interface PersonInGroup {
  readonly datasourceId: DatasourceId;
  readonly groupId: GroupId;
  readonly email: Email;
}

/** What an event changes in who belongs to which groups. */
interface Changed {
  readonly joined: readonly PersonInGroup[];
  readonly left: readonly PersonInGroup[];
}

export const pairOf = ({ groupId, email }: Pick<PersonInGroup, "groupId" | "email">): string => `${email}>${groupId}`;

/** Which people belong to which groups, event by event: only who is registered joins, and only for so long. */
export class NaiveMembers {
  private readonly registered = new Set<string>();
  private readonly members = new Map<string, PersonInGroup>();

  /** Takes the next event, and tells what is different by it. */
  follow(event: DomainEvent): Changed {
    const { joined, left } = this.namedIn(event);
    if (event.type === "UserRegistered") this.registered.add(`${event.data.datasourceId}:${event.data.email}`);
    if (event.type === "UserDeleted") this.registered.delete(`${event.data.datasourceId}:${event.data.email}`);
    return {
      left: left.filter((each) => this.members.delete(pairOf(each))),
      joined: joined.filter((each) => {
        const isNew = !this.members.has(pairOf(each)) && this.registered.has(`${each.datasourceId}:${each.email}`);
        if (isNew) this.members.set(pairOf(each), each);
        return isNew;
      }),
    };
  }

  /** Who belongs to a group. */
  of(group: GroupId): readonly Email[] {
    return [...this.members.values()].filter(({ groupId }) => groupId === group).map(({ email }) => email);
  }

  isRegistered(datasourceId: DatasourceId, email: Email): boolean {
    return this.registered.has(`${datasourceId}:${email}`);
  }

  private namedIn(event: DomainEvent): Changed {
    if (event.type === "MembershipAdded" || event.type === "MembershipRemoved") {
      const { datasourceId, groupId, member } = event.data;
      const named = member.kind === "user" ? [{ datasourceId, groupId, email: member.email }] : [];
      return event.type === "MembershipAdded" ? { joined: named, left: [] } : { joined: [], left: named };
    }
    if (event.type === "GroupMembersReplaced") {
      const { joined, left, ...group } = event.data;
      return {
        joined: joined.map((email) => ({ ...group, email })),
        left: left.map((email) => ({ ...group, email })),
      };
    }
    if (event.type !== "UserDeleted") return { joined: [], left: [] };
    const { datasourceId, email } = event.data;
    const left = [...this.members.values()].filter(
      (each) => each.datasourceId === datasourceId && each.email === email,
    );
    return { joined: [], left };
  }
}
