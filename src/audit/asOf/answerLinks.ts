import type { Email } from "../../shared/ids.js";
import { ok } from "../../shared/result.js";
import type { DocumentReference } from "../auditFacts.js";
import type { HistoryQuestion, NothingFound } from "../historyQuestions.js";
import type { Incarnation, PermissionHistory, PermissionIntervals } from "../ports/permissionHistory.js";
import {
  explained,
  linksBetween,
  linksOfDocument,
  linksOfGroup,
  linksOfPerson,
  noDocument,
  type Link,
} from "../visibility/links.js";
import { notRegistered } from "../visibility/what.js";
import { findParked, type Answered } from "./findParked.js";

/** The links on the ways between a document and a person, or of one of them alone. */
export function answerLinks(
  history: PermissionHistory,
  { document, user }: Extract<HistoryQuestion, { readonly kind: "links" }>,
  position: number,
): Answered {
  const facts = history.at(position);
  const incarnations = facts.incarnations(document?.datasource).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parked = findParked(history, incarnations, position);
  if (parked !== null) return parked;
  const links = linksOf(facts, incarnations, document, user);
  if (links !== null) return ok(explained(history, links));
  const missing = document === null ? notRegistered(user ?? "") : noDocument(document);
  return ok({ items: [], total: 0, missing });
}

function linksOf(
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  document: DocumentReference | null,
  user: Email | null,
): readonly Link[] | null {
  const [incarnation] = incarnations;
  if (document === null) return user === null ? [] : linksOfPerson(facts, incarnations, user);
  if (incarnation === undefined) return null;
  return user === null
    ? linksOfDocument(facts, incarnation, document)
    : linksBetween(facts, incarnation, document, user);
}

/** What is behind a group: its people, or the documents that grant it something. */
export function answerLinksOfGroup(
  history: PermissionHistory,
  question: Extract<HistoryQuestion, { readonly kind: "linksOfGroup" }>,
  position: number,
): Answered {
  const facts = history.at(position);
  const incarnations = facts.incarnations(question.datasource);
  const [incarnation] = incarnations;
  const name = incarnation === undefined ? null : facts.principal(incarnation.number, "group", question.group);
  const group = name === null ? undefined : facts.groupsNamed(name)[0]?.[0];
  const parked = findParked(history, incarnations, position);
  if (parked !== null) return parked;
  if (incarnation === undefined || group === undefined) return ok({ items: [], total: 0, missing: noGroup(question) });
  return ok(explained(history, linksOfGroup(facts, incarnation, group, question.of)));
}

const noGroup = ({ datasource, group }: { readonly datasource: string; readonly group: string }): NothingFound => ({
  kind: "group_absent",
  detail: `There was no group ${group} on ${datasource}.`,
});
