import type { DomainEvent } from "../../src/events/domainEvent.js";
import {
  toDatasourceId,
  toDatasourceName,
  toEmail,
  toGroupId,
  type DatasourceId,
  type Email,
  type GroupId,
} from "../../src/shared/ids.js";
import { seededRandom } from "../corpus.js";
import { datasourceRegistered } from "../datasourceRegistered.js";

export interface Nesting {
  readonly member: number;
  readonly group: number;
}

/** Groups nested in levels, people in groups: the same for the same seed. */
export interface Organisation {
  readonly datasourceId: DatasourceId;
  readonly groupIds: readonly GroupId[];
  readonly nestings: readonly Nesting[];
  /** By person: indexes of direct groups. */
  readonly people: readonly (readonly number[])[];
}

export interface OrganisationSize {
  readonly groups: number;
  readonly depth: number;
  readonly people: number;
  readonly groupsPerPerson: number;
}

/** One group in five belongs to a second group further up: that is where diamonds come from. */
const secondParents = 0.2;

/**
 * Groups stand on levels of equal size. Each but the topmost belongs to one group of the level above, every fifth to a
 * second one on any higher level. People belong to groups of the lowest third.
 */
export function makeOrganisation(
  seed: number,
  { groups, depth, people, groupsPerPerson }: OrganisationSize,
): Organisation {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const perLevel = Math.ceil(groups / depth);
  const nestings = new Map<string, Nesting>();
  const nest = (member: number, group: number): void => void nestings.set(`${member} ${group}`, { member, group });
  for (let member = perLevel; member < groups; member++) {
    const level = Math.floor(member / perLevel);
    nest(member, (level - 1) * perLevel + below(perLevel));
    if (random() < secondParents) nest(member, below(level * perLevel));
  }
  const lowest = Math.floor((groups * 2) / 3);
  return {
    datasourceId: toDatasourceId("organisation"),
    groupIds: Array.from({ length: groups }, (_, index) => toGroupId(index.toString(16).padStart(20, "0"))),
    nestings: [...nestings.values()],
    people: Array.from({ length: people }, () => [
      ...new Set(Array.from({ length: groupsPerPerson }, () => lowest + below(groups - lowest))),
    ]),
  };
}

export const emailOf = (person: number): Email => toEmail(`person${person}@example.org`);
export const groupName = (index: number): string => `group-${index}`;

/** What a client pushes first: the datasource, groups, nestings, people. */
export function foundation({ datasourceId, groupIds, nestings, people }: Organisation): DomainEvent[] {
  const name = toDatasourceName("organisation");
  return [
    datasourceRegistered(datasourceId, name),
    ...groupIds.map((groupId, index): DomainEvent => ({
      type: "GroupCreated",
      data: { datasourceId, groupId, name: groupName(index) },
    })),
    ...nestings.map((nesting) => nested("MembershipAdded", { datasourceId, groupIds }, nesting)),
    ...people.map((_, person): DomainEvent => ({
      type: "UserRegistered",
      data: { datasourceId, email: emailOf(person), name: null },
    })),
  ];
}

/** A nesting that comes or goes. */
export function nested(
  type: "MembershipAdded" | "MembershipRemoved",
  { datasourceId, groupIds }: Pick<Organisation, "datasourceId" | "groupIds">,
  { member, group }: Nesting,
): DomainEvent {
  const [memberId, groupId] = [groupIds[member] as GroupId, groupIds[group] as GroupId];
  return { type, data: { datasourceId, groupId, member: { kind: "group", groupId: memberId } } };
}

/** People's memberships, group by group: the order in which a client that mirrors a directory sends them. */
export function memberships({ datasourceId, groupIds, people }: Organisation): DomainEvent[] {
  const members = groupIds.map((): number[] => []);
  people.forEach((groups, person) => {
    for (const group of groups) members[group]?.push(person);
  });
  return members.flatMap((ofGroup, group) =>
    ofGroup.map((person): DomainEvent => ({
      type: "MembershipAdded",
      data: { datasourceId, groupId: groupIds[group] as GroupId, member: { kind: "user", email: emailOf(person) } },
    })),
  );
}
