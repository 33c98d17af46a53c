import * as fc from "fast-check";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { eventsOn } from "./accessLanguage.js";

const people = ["ann", "bob", "cid"];
const groups = Array.from({ length: 9 }, (_, index) => `g${index}`);
const step = fc.record({
  kind: fc.constantFrom(
    "nest",
    "nest",
    "nest",
    "nest",
    "unnest",
    "join",
    "join",
    "leave",
    "replace",
    "replace",
    "rename",
    "register",
    "delete",
    "deregister",
    "dissolve",
  ),
  datasource: fc.nat(1),
  person: fc.constantFrom(...people),
  group: fc.nat(groups.length - 1),
  other: fc.nat(groups.length - 1),
  name: fc.nat(3),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Turns any steps into a history that commands could have written: nothing twice, no cycle, deleted names come back as
 * a new incarnation.
 */
class History {
  readonly events: DomainEvent[] = [];
  private readonly memberships = new Set<string>();
  private readonly above = new Map<string, Set<string>>();
  private readonly registered = new Set<string>();
  private readonly names = new Map<string, string>();
  private readonly dissolved = new Set<string>();
  private say;

  constructor(
    private readonly datasource: string,
    private incarnation = 1,
  ) {
    this.say = eventsOn(datasource, incarnation);
    this.open();
  }

  follow({ kind, person, group, other, name }: Step): void {
    const [member, parent] = [groups[group] as string, groups[other] as string];
    if (kind === "nest") this.nest(member, parent);
    else if (kind === "unnest") this.once(`${member} in ${parent}`, false, () => this.unnest(member, parent));
    else if (kind === "register") this.register(person);
    else if (kind === "join") this.join(person, parent);
    else if (kind === "leave")
      this.once(`${person} in ${parent}`, false, () => this.events.push(this.say.leaves(person, parent)));
    else if (kind === "replace") this.replace(parent, name);
    else if (kind === "deregister") this.deregister(person, name);
    else if (kind === "dissolve") this.dissolve(member, name);
    else if (kind === "rename") this.rename(member, `${member} as ${name}`);
    else if (name === 0) this.startAgain();
  }

  private open(): void {
    this.events.push(this.say.opened(), ...groups.map((group) => this.say.created(group)));
  }

  private startAgain(): void {
    this.events.push(this.say.deleted());
    for (const state of [this.memberships, this.above, this.registered, this.names, this.dissolved]) state.clear();
    this.say = eventsOn(this.datasource, ++this.incarnation);
    this.open();
  }

  private register(person: string): void {
    if (this.registered.has(person)) return;
    this.registered.add(person);
    this.events.push(this.say.registered(person));
  }

  /** Half of the time, members are just being replaced, and the deletion knows nothing of it. */
  private deregister(person: string, name: number): void {
    if (!this.registered.delete(person)) return;
    for (const group of groups)
      this.once(`${person} in ${group}`, false, () => {
        if (name % 2 === 0) this.events.push(this.say.leaves(person, group));
      });
    this.events.push(this.say.personDeleted(person));
  }

  /** The group goes for good; people stay in it, for nothing. */
  private dissolve(group: string, name: number): void {
    if (name !== 0 || this.dissolved.has(group)) return;
    this.dissolved.add(group);
    for (const other of groups) {
      this.once(`${group} in ${other}`, false, () => this.unnest(group, other));
      this.once(`${other} in ${group}`, false, () => this.unnest(other, group));
    }
    this.events.push(this.say.groupDeleted(group, this.names.get(group) ?? group));
  }

  private join(person: string, group: string): void {
    this.register(person);
    if (this.dissolved.has(group)) return;
    this.once(`${person} in ${group}`, true, () => this.events.push(this.say.joins(person, group)));
  }

  /** All people are told of, changed or not: those who are not registered do not join. */
  private replace(group: string, name: number): void {
    const isWanted = (person: string): boolean => ((name + 1) & (1 << people.indexOf(person))) !== 0;
    const [joined, left] = [people.filter(isWanted), people.filter((person) => !isWanted(person))];
    for (const person of left) this.memberships.delete(`${person} in ${group}`);
    for (const person of joined) if (this.registered.has(person)) this.memberships.add(`${person} in ${group}`);
    this.events.push(this.say.replaced(group, joined, left));
  }

  private rename(group: string, name: string): void {
    const previous = this.names.get(group) ?? group;
    if (previous === name || this.dissolved.has(group)) return;
    this.names.set(group, name);
    this.events.push(this.say.renamed(group, name, previous));
  }

  private nest(member: string, parent: string): void {
    if (this.reaches(parent, member) || this.dissolved.has(member) || this.dissolved.has(parent)) return;
    this.once(`${member} in ${parent}`, true, () => {
      this.above.set(member, new Set([...(this.above.get(member) ?? []), parent]));
      this.events.push(this.say.nests(member, parent));
    });
  }

  private unnest(member: string, parent: string): void {
    this.above.get(member)?.delete(parent);
    this.events.push(this.say.unnests(member, parent));
  }

  private once(key: string, isAddition: boolean, then: () => void): void {
    if (this.memberships.has(key) === isAddition) return;
    if (isAddition) this.memberships.add(key);
    else this.memberships.delete(key);
    then();
  }

  private reaches(from: string, to: string): boolean {
    return from === to || [...(this.above.get(from) ?? [])].some((next) => this.reaches(next, to));
  }
}

/**
 * Histories of two datasources with shared people, interleaved: nestings, memberships, renames, deletions, new
 * incarnations.
 */
export const accessHistories: fc.Arbitrary<readonly DomainEvent[]> = fc.array(step, { maxLength: 120 }).map((steps) => {
  const histories = [new History("wiki"), new History("files")];
  const events = histories.flatMap((history) => history.events.splice(0));
  for (const each of steps) {
    const history = histories[each.datasource] as History;
    history.follow(each);
    events.push(...history.events.splice(0));
  }
  return events;
});
