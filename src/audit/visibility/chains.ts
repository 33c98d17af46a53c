import type { Via } from "../historyQuestions.js";
import type { Edge, PermissionIntervals } from "../ports/permissionHistory.js";

export const viaAnonymous: Via = { grant: "anonymous", groups: [] };
const viaDefault: Via = { ...viaAnonymous, by_default: true };

/** How everybody registered sees a document at the facts' moment. */
export const viaEverybody = (facts: PermissionIntervals, document: number): Via =>
  isByDefaultAt(facts, document, facts.position) ? viaDefault : viaAnonymous;

/** Whether the datasource decided who sees a document. */
export const isByDefaultAt = (facts: PermissionIntervals, document: number, position: number): boolean =>
  facts.byDefault(document).some(([opened, closed]) => opened <= position && position < closed);

export const viaUser: Via = { grant: "user", groups: [] };

/** Groups that were reached from some first ones, each with the one that it was reached from. */
export type Reached = ReadonlyMap<number, number | null>;

/** Everything that can be reached along the edges, the nearest first, each on its first shortest way. */
export function reach(first: Iterable<number>, edgesOf: (group: number) => readonly Edge[]): Reached {
  const reached = new Map<number, number | null>();
  for (const group of first) reached.set(group, null);
  for (const group of reached.keys()) {
    // A map keeps its order and takes additions while it is walked: this is the queue of a breadth-first search.
    for (const [next] of edgesOf(group)) if (!reached.has(next)) reached.set(next, group);
  }
  return reached;
}

/** The way back from a group to where the search began: that group first. */
export function wayBack(reached: Reached, from: number): number[] {
  const way: number[] = [];
  for (let group: number | null = from; group !== null; group = reached.get(group) ?? null) way.push(group);
  return way;
}

/** The name that a group has at this moment. */
export function nameOf(facts: PermissionIntervals, group: number): string {
  const principal = facts.namesOf(group).at(-1)?.[0];
  return principal === undefined ? "" : facts.principalOf(principal).name;
}
