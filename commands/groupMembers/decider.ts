import type { GroupMembersEvent } from "../../src/events/membership.js";
import type { DatasourceId, DatasourceName, Email, GroupId } from "../../src/shared/ids.js";
import { laterOf, type Position } from "../../src/shared/position.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { Aggregate } from "../aggregate.js";
import type { Decided } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import { nothingTold, type KnownMembers, type ToldMembership, type ToldMemberships } from "./members.js";

/** What replacements tell of one person. */
interface PersonTold {
  /** Where the newest one stands. */
  at: Position;
  readonly groups: Map<GroupId, ToldMembership>;
}

/**
 * What replacements tell: as much as there are memberships, so it evolves in place. The newest event about a membership
 * counts, in whichever order events come: a state may be read on by several at once.
 */
interface GroupMembersState {
  readonly people: Map<Email, PersonTold>;
  /** Where the newest replacement of each group's members stands. */
  readonly groups: Map<GroupId, Position>;
  memberships: number;
}

interface ReplaceMembers {
  readonly datasourceId: DatasourceId;
  readonly datasource: DatasourceName;
  /** Each once. */
  readonly members: readonly Email[];
  readonly known: KnownMembers;
}

/** What became of a replacement. */
export type Replacement =
  | { readonly kind: "done"; readonly joined: number; readonly left: number }
  /** The group, or one of these people, has been written about since the members were known. */
  | { readonly kind: "outdated" };

const initialState = (): GroupMembersState => ({ people: new Map(), groups: new Map(), memberships: 0 });

/** Changes the state it is given, and returns it. */
function evolve(state: GroupMembersState, { data }: GroupMembersEvent, at: Position): GroupMembersState {
  const { groupId, joined, left } = data;
  state.groups.set(groupId, laterOf(state.groups.get(groupId) ?? at, at));
  // One object for all of them: there may be millions.
  const [ended, begun] = [{ isMember: false, at } as const, { isMember: true, at } as const];
  for (const email of left) tell(state, email, groupId, ended);
  for (const email of joined) tell(state, email, groupId, begun);
  return state;
}

function tell(state: GroupMembersState, email: Email, groupId: GroupId, told: ToldMembership): void {
  const person: PersonTold = state.people.get(email) ?? { at: told.at, groups: new Map() };
  state.people.set(email, person);
  person.at = laterOf(person.at, told.at);
  const known = person.groups.get(groupId);
  if (known === undefined) state.memberships++;
  if (known === undefined || known.at < told.at) person.groups.set(groupId, told);
}

/** What replacements tell of a person's memberships. */
export const toldOf = ({ people }: GroupMembersState, email: Email): ToldMemberships =>
  people.get(email)?.groups ?? nothingTold;

/**
 * Replaces the members, and writes nothing where they are the same. Refused whole for somebody who is not registered.
 * Replacements that concern the same group or the same people follow one another: each has to know of the one before.
 */
export function decide(
  { datasourceId, datasource, members, known }: ReplaceMembers,
  state: GroupMembersState,
): Result<Decided<GroupMembersEvent, Replacement>, Rejection> {
  const { groupId, asOf, members: present, unregistered } = known;
  const wanted = new Set(members);
  const changes = [state.groups.get(groupId), ...[...members, ...present].map((email) => state.people.get(email)?.at)];
  if (changes.some((at) => at !== undefined && at > asOf)) return ok({ events: [], value: { kind: "outdated" } });
  const [stranger] = unregistered;
  if (stranger !== undefined) return failed({ type: "UserNotFound", datasource, email: stranger });
  const joined = members.filter((email) => !present.has(email));
  const left = [...present].filter((email) => !wanted.has(email));
  const isChange = joined.length + left.length > 0;
  return ok({
    events: isChange ? [{ type: "GroupMembersReplaced", data: { datasourceId, groupId, joined, left } }] : [],
    value: { kind: "done", joined: joined.length, left: left.length },
  });
}

export const groupMembersAggregate: Aggregate<GroupMembersState, GroupMembersEvent> = {
  initialState,
  evolve,
  cacheCost: ({ people, memberships }) => 1 + 3 * people.size + memberships,
};
