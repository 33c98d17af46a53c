import type { Email } from "../../shared/ids.js";
import { nameOf, reach, viaEverybody, viaUser, wayBack, type Reached, isRegisteredAt } from "./overTime.js";
import { documentName, type HistoryAnswer, type NothingFound, type Via, type WhatItem } from "../historyQuestions.js";
import type { NamedDocuments } from "../ports/pastSearch.js";
import type { Incarnation, PermissionIntervals } from "../ports/permissionHistory.js";

/**
 * Every document that a person could see at the facts' moment, by datasource and then in the order in which they were
 * first indexed, each by the shortest chain.
 */
export function whatWasVisible(
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  user: Email,
): HistoryAnswer<WhatItem> {
  const seen = seenBy(facts, incarnations, user);
  if (seen.length === 0)
    return {
      items: [],
      total: 0,
      missing: notRegistered(user),
    };
  return { items: items(facts, seen), total: seen.reduce((total, { documents }) => total + documents.length, 0) };
}

/** The person was on no datasource at the facts' moment. */
export const notRegistered = (user: string): NothingFound => ({
  kind: "not_registered",
  detail: `"${user}" was registered on no datasource.`,
});

/** Like {@link whatWasVisible}, by ids: all documents of an incarnation at once. */
export const visibleDocuments = (
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  user: Email,
): readonly NamedDocuments[] =>
  seenBy(facts, incarnations, user).map(({ incarnation, documents }) => ({
    datasourceId: incarnation.datasourceId,
    documentIds: documents.map((document) => facts.documentIdOf(document)),
  }));

const seenBy = (facts: PermissionIntervals, incarnations: readonly Incarnation[], user: Email): readonly Seen[] =>
  incarnations.flatMap((incarnation) => {
    const person = facts.person(incarnation.number, user);
    return person === null || !isRegisteredAt(person, facts.position)
      ? []
      : [documentsOf(facts, incarnation, person.number)];
  });

/** What a person sees of one datasource. */
interface Seen {
  readonly incarnation: Incarnation;
  readonly documents: readonly number[];
  readonly viaOf: (document: number) => Via;
}

function documentsOf(facts: PermissionIntervals, incarnation: Incarnation, person: number): Seen {
  const reached = reach(
    facts.groupsOf(person).map(([group]) => group),
    (group) => facts.parentsOf(group),
  );
  const through = new Map<number, number>();
  const held = [...ownPrincipals(facts, incarnation, person), ...groupPrincipals(facts, reached)];
  held.forEach(({ principal }, index) => {
    for (const [document] of facts.grantsTo(principal)) if (!through.has(document)) through.set(document, index);
  });
  const documents = [...through.keys()].sort((a, b) => a - b);
  return {
    incarnation,
    documents,
    viaOf: (document) => viaOf(facts, reached, document, held[through.get(document) ?? 0]),
  };
}

/** Something that a person holds, and the group that it comes with. */
interface HeldPrincipal {
  readonly principal: number;
  readonly group: number | null;
}

function ownPrincipals(facts: PermissionIntervals, incarnation: Incarnation, person: number): readonly HeldPrincipal[] {
  const anonymous = facts.principal(incarnation.number, "anonymous", "");
  return [...(anonymous === null ? [] : [anonymous]), person].map((principal) => ({ principal, group: null }));
}

const groupPrincipals = (facts: PermissionIntervals, reached: Reached): readonly HeldPrincipal[] =>
  [...reached.keys()].flatMap((group) => facts.namesOf(group).map(([principal]) => ({ principal, group })));

function viaOf(facts: PermissionIntervals, reached: Reached, document: number, held: HeldPrincipal | undefined): Via {
  if (held === undefined || held.group === null)
    return held !== undefined && facts.principalOf(held.principal).kind === "anonymous"
      ? viaEverybody(facts, document)
      : viaUser;
  return { grant: "group", groups: wayBack(reached, held.group).map((group) => nameOf(facts, group)) };
}

function* items(facts: PermissionIntervals, seen: readonly Seen[]): Generator<WhatItem> {
  for (const { incarnation, documents, viaOf: via } of seen) {
    for (const document of documents)
      yield { document: documentName(incarnation.name, facts.documentIdOf(document)), via: via(document) };
  }
}
