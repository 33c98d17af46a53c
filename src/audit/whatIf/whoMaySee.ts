import { isRegisteredAt } from "../visibility/overTime.js";
import type { Edge, PermissionIntervals } from "../ports/permissionHistory.js";

/** Numbers from here on downwards are of what the permission history does not hold. */
export const firstHypotheticalEntity = -1;

const othersOf =
  (read: (of: number) => readonly Edge[]) =>
  (of: number): number[] =>
    of <= firstHypotheticalEntity ? [] : read(of).map(([other]) => other);

/**
 * Knows who may see what at one moment: what the permission history says, and what would be different. People are
 * principals, and so are names of groups and everybody registered. Numbers are those of the history, and negative for
 * hypothetical entities.
 */
export class WhoMaySee {
  /** From a person to groups. */
  readonly members: Relation;
  /** From a group to those that contain it. */
  readonly nestings: Relation;
  /** From a group to its name. */
  readonly names: Relation;
  /** From a document to the principals that it grants. */
  readonly grants: Relation;
  /** What is different: whether the person is registered. */
  private readonly registrations = new Map<number, boolean>();
  private readonly closed = new Set<number>();

  constructor(private readonly facts: PermissionIntervals) {
    this.members = new Relation(
      othersOf((person) => facts.groupsOf(person)),
      othersOf((group) => facts.membersOf(group)),
    );
    this.nestings = new Relation(
      othersOf((group) => facts.parentsOf(group)),
      othersOf((group) => facts.childrenOf(group)),
    );
    this.names = new Relation(
      othersOf((group) => facts.namesOf(group)),
      othersOf((name) => facts.groupsNamed(name)),
    );
    this.grants = new Relation(
      othersOf((document) => facts.grantsOf(document)),
      othersOf((principal) => facts.grantsTo(principal)),
    );
  }

  register(person: number): void {
    this.registrations.set(person, true);
  }

  deregister(person: number): void {
    this.registrations.set(person, false);
  }

  close(incarnation: number): void {
    this.closed.add(incarnation);
  }

  /** Registered, on a datasource that is there. */
  isThere(person: number, incarnation: number): boolean {
    if (this.closed.has(incarnation)) return false;
    const changed = this.registrations.get(person);
    if (changed !== undefined) return changed;
    return person > firstHypotheticalEntity && isRegisteredAt(this.facts.personOf(person), this.facts.position);
  }

  /** The names of the groups that the person is in, and of all above them: their principals, sorted. */
  groupNamesOf(person: number): readonly number[] {
    const groups = above(this.members.from(person), this.nestings);
    return Array.from(groups, (group) => [...this.names.from(group)])
      .flat()
      .sort((a, b) => a - b);
  }

  /** Everybody in a group, or in a group below it. */
  peopleIn(first: Iterable<number>): ReadonlySet<number> {
    const groups = new Set(first);
    for (const group of groups) for (const child of this.nestings.to(group)) groups.add(child);
    const people = new Set<number>();
    for (const group of groups) for (const person of this.members.to(group)) people.add(person);
    return people;
  }
}

/** These groups, and all that contain them. */
function above(first: Iterable<number>, nestings: Relation): ReadonlySet<number> {
  // A set keeps its order and takes additions while it is walked.
  const groups = new Set(first);
  for (const group of groups) for (const parent of nestings.from(group)) groups.add(parent);
  return groups;
}

/** A stored relation, and what would be different. */
class Relation {
  private readonly added = new Pairs();
  private readonly removed = new Pairs();

  constructor(
    private readonly storedFrom: (left: number) => Iterable<number>,
    private readonly storedTo: (right: number) => Iterable<number>,
  ) {}

  add(left: number, right: number): void {
    if (!this.removed.delete(left, right)) this.added.add(left, right);
  }

  remove(left: number, right: number): void {
    if (!this.added.delete(left, right)) this.removed.add(left, right);
  }

  from(left: number): ReadonlySet<number> {
    return relatedTo(this.storedFrom(left), this.removed.from(left), this.added.from(left));
  }

  to(right: number): ReadonlySet<number> {
    return relatedTo(this.storedTo(right), this.removed.to(right), this.added.to(right));
  }
}

class Pairs {
  private readonly forward = new Map<number, Set<number>>();
  private readonly backward = new Map<number, Set<number>>();

  add(left: number, right: number): void {
    insert(this.forward, left, right);
    insert(this.backward, right, left);
  }

  /** False where it was not there. */
  delete(left: number, right: number): boolean {
    this.backward.get(right)?.delete(left);
    return this.forward.get(left)?.delete(right) === true;
  }

  from = (left: number): Iterable<number> => this.forward.get(left) ?? [];
  to = (right: number): Iterable<number> => this.backward.get(right) ?? [];
}

function insert(map: Map<number, Set<number>>, key: number, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function relatedTo(stored: Iterable<number>, removed: Iterable<number>, added: Iterable<number>): ReadonlySet<number> {
  const result = new Set(stored);
  for (const value of removed) result.delete(value);
  for (const value of added) result.add(value);
  return result;
}
