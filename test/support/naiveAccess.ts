import { match } from "ts-pattern";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import type { Member } from "../../src/events/membership.js";
import type { DatasourceId, Email, GroupId, PrincipalToken } from "../../src/shared/ids.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";

interface NaiveDatasource {
  readonly names: Map<GroupId, string>;
  readonly people: Set<Email>;
  /** `{member} in {group}`. */
  readonly memberships: Set<string>;
}

const nowhere = (): NaiveDatasource => ({ names: new Map(), people: new Set(), memberships: new Set() });

const keyOf = (member: Member): string => (member.kind === "user" ? `user ${member.email}` : `group ${member.groupId}`);

/** The spec's visibility rules, word for word and without any cleverness: what the group closure has to agree with. */
export class NaiveAccess {
  private readonly datasources = new Map<DatasourceId, NaiveDatasource>();

  follow(event: DomainEvent): void {
    match(event)
      .with({ type: "DatasourceRegistered" }, ({ data }) => void this.datasources.set(data.datasourceId, nowhere()))
      .with({ type: "DatasourceDeleted" }, ({ data }) => void this.datasources.delete(data.datasourceId))
      .with(
        { type: "GroupCreated" },
        { type: "GroupRenamed" },
        ({ data }) => void this.datasources.get(data.datasourceId)?.names.set(data.groupId, data.name),
      )
      .with(
        { type: "GroupDeleted" },
        // A person who is still in it keeps a token that no document can carry (docs/design/permissions.md): names hold
        // no NUL.
        ({ data }) => void this.datasources.get(data.datasourceId)?.names.set(data.groupId, `\0${data.groupId}`),
      )
      .with({ type: "UserDeleted" }, ({ data }) => {
        const { people, memberships } = this.datasources.get(data.datasourceId) ?? nowhere();
        people.delete(data.email);
        for (const key of memberships) if (key.startsWith(`user ${data.email} in `)) memberships.delete(key);
      })
      .with({ type: "GroupMembersReplaced" }, ({ data: { datasourceId, groupId, joined, left } }) => {
        const { people, memberships } = this.datasources.get(datasourceId) ?? nowhere();
        for (const email of left) memberships.delete(`user ${email} in ${groupId}`);
        for (const email of joined) if (people.has(email)) memberships.add(`user ${email} in ${groupId}`);
      })
      .with(
        { type: "UserRegistered" },
        ({ data }) => void this.datasources.get(data.datasourceId)?.people.add(data.email),
      )
      .with(
        { type: "MembershipAdded" },
        ({ data }) =>
          void this.datasources.get(data.datasourceId)?.memberships.add(`${keyOf(data.member)} in ${data.groupId}`),
      )
      .with(
        { type: "MembershipRemoved" },
        ({ data }) =>
          void this.datasources.get(data.datasourceId)?.memberships.delete(`${keyOf(data.member)} in ${data.groupId}`),
      )
      .otherwise(() => undefined);
  }

  /** Sorted. */
  heldTokens(email: Email, tokens: PrincipalTokens): readonly PrincipalToken[] {
    const held: PrincipalToken[] = [];
    for (const [datasourceId, datasource] of this.datasources) {
      if (!datasource.people.has(email)) continue;
      held.push(tokens.anonymous(datasourceId), tokens.user(datasourceId, email));
      for (const groupId of this.groupsOf(datasource, { kind: "user", email })) {
        held.push(tokens.group(datasourceId, datasource.names.get(groupId) ?? ""));
      }
    }
    return held.sort();
  }

  /** Names of all groups that a group belongs to, directly or through others; sorted. */
  ancestorsOf(datasourceId: DatasourceId, groupId: GroupId): readonly string[] {
    const datasource = this.datasources.get(datasourceId);
    if (datasource === undefined) return [];
    return [...this.groupsOf(datasource, { kind: "group", groupId })]
      .map((id) => datasource.names.get(id) ?? "")
      .sort();
  }

  private groupsOf({ names, memberships }: NaiveDatasource, member: Member): ReadonlySet<GroupId> {
    const found = new Set<GroupId>();
    const queue = [member];
    for (const next of queue) {
      for (const groupId of names.keys()) {
        if (found.has(groupId) || !memberships.has(`${keyOf(next)} in ${groupId}`)) continue;
        found.add(groupId);
        queue.push({ kind: "group", groupId });
      }
    }
    return found;
  }
}
