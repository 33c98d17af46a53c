/** The small company of the demo: people, groups within groups, and who is in what. */

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly memberOf: string;
}

export const datasource = "documentation";

export const people: readonly Person[] = [
  { name: "Ada", email: "ada@example.com", memberOf: "sqlite-crew" },
  { name: "Ben", email: "ben@example.com", memberOf: "koa-crew" },
  { name: "Cleo", email: "cleo@example.com", memberOf: "support" },
];

/** A group, and the group that it is in; each after the one it is in. */
export interface Group {
  readonly name: string;
  readonly within: string | null;
}

export const groups: readonly Group[] = [
  { name: "engineering", within: null },
  { name: "databases", within: "engineering" },
  { name: "sqlite-crew", within: "databases" },
  { name: "web", within: "engineering" },
  { name: "koa-crew", within: "web" },
  { name: "support", within: null },
];

/** The membership that the demo takes away: with it, all of Ada's ways into engineering are gone. */
export const revokedMembership = { group: "databases", member: "sqlite-crew" } as const;

/** Groups that a person is in, directly first. */
export function groupsOf(person: Person, graph: readonly Group[] = groups): readonly string[] {
  const chain: string[] = [];
  for (
    let name: string | null = person.memberOf;
    name !== null;
    name = graph.find((group) => group.name === name)?.within ?? null
  )
    chain.push(name);
  return chain;
}

/** The groups after a membership between them is gone. */
export const without = (
  graph: readonly Group[],
  { group, member }: { readonly group: string; readonly member: string },
): readonly Group[] =>
  graph.map((each) => (each.name === member && each.within === group ? { ...each, within: null } : each));

/** Why a person does or does not see a document that names `allowed` (null: every registered user), in one sentence. */
export function explain(person: Person, allowed: string | null, graph: readonly Group[] = groups): string {
  if (allowed === null) return `the document is open to every registered user, and ${person.name} is one`;
  const chain = groupsOf(person, graph);
  const at = chain.indexOf(allowed);
  if (at === -1) return `${person.name} is in ${listOf(chain)}; the document names ${allowed}`;
  return `${person.name} is in ${chain.slice(0, at + 1).join(", which is in ")}, which the document names`;
}

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
