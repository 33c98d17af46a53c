import type { Datasource } from "../../src/events/datasource.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import type { Member } from "../../src/events/membership.js";
import {
  toDatasourceId,
  toDatasourceName,
  toEmail,
  toGroupId,
  type DatasourceId,
  type Email,
  type GroupId,
} from "../../src/shared/ids.js";

/** Says events about who belongs to what on one datasource, in few words. Group ids are `id of {first name}`. */
export function eventsOn(name: string, incarnation = 1) {
  const datasourceId: DatasourceId = toDatasourceId(`${name}-${incarnation}`);
  const groupId = (group: string): GroupId => toGroupId(`id of ${group}`);
  const email = (person: string): Email => toEmail(`${person}@example.org`);
  const asUser = (person: string): Member => ({ kind: "user", email: email(person) });
  const asGroup = (group: string): Member => ({ kind: "group", groupId: groupId(group) });
  const datasource: Datasource = {
    datasourceId,
    name: toDatasourceName(name),
    displayName: name,
    icon: null,
    subs: [],
    objectDefinitions: [],
    defaultAccess: "anonymous",
  };
  const membership = (type: "MembershipAdded" | "MembershipRemoved", group: string, member: Member): DomainEvent => ({
    type,
    data: { datasourceId, groupId: groupId(group), member },
  });
  return {
    datasourceId,
    datasource,
    email,
    groupId,
    opened: (): DomainEvent => ({ type: "DatasourceRegistered", data: datasource }),
    deleted: (): DomainEvent => ({ type: "DatasourceDeleted", data: { datasourceId, name: datasource.name } }),
    created: (group: string): DomainEvent => ({
      type: "GroupCreated",
      data: { datasourceId, groupId: groupId(group), name: group },
    }),
    renamed: (group: string, newName: string, previousName = group): DomainEvent => ({
      type: "GroupRenamed",
      data: { datasourceId, groupId: groupId(group), name: newName, previousName },
    }),
    registered: (person: string): DomainEvent => ({
      type: "UserRegistered",
      data: { datasourceId, email: email(person), name: null },
    }),
    personRenamed: (person: string): DomainEvent => ({
      type: "UserRenamed",
      data: { datasourceId, email: email(person), name: "Someone" },
    }),
    personDeleted: (person: string): DomainEvent => ({
      type: "UserDeleted",
      data: { datasourceId, email: email(person) },
    }),
    groupDeleted: (group: string, lastName: string): DomainEvent => ({
      type: "GroupDeleted",
      data: { datasourceId, groupId: groupId(group), name: lastName },
    }),
    joins: (person: string, group: string): DomainEvent => membership("MembershipAdded", group, asUser(person)),
    leaves: (person: string, group: string): DomainEvent => membership("MembershipRemoved", group, asUser(person)),
    replaced: (group: string, joined: readonly string[], left: readonly string[]): DomainEvent => ({
      type: "GroupMembersReplaced",
      data: { datasourceId, groupId: groupId(group), joined: joined.map(email), left: left.map(email) },
    }),
    nests: (member: string, group: string): DomainEvent => membership("MembershipAdded", group, asGroup(member)),
    unnests: (member: string, group: string): DomainEvent => membership("MembershipRemoved", group, asGroup(member)),
  };
}
