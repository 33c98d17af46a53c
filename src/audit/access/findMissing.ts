import { grantedGroups } from "./findChain.js";
import { findLapse } from "./findLapse.js";
import { endedBy, openAt } from "../timeline/intervals.js";
import type { Missing } from "./missing.js";
import type { Situation } from "./situation.js";

const mostNamed = 5;

/**
 * Why no chain leads from the document to the person. To be asked where none does, or where one of the two is absent.
 */
export function findMissing(situation: Situation): Missing {
  const { subject, document, person } = situation;
  const { email, datasource, documentId, position } = subject;
  const name = `${datasource}/${documentId}`;
  if (openAt(document.existence, position) === null) {
    const deleted = endedBy(document.existence, position);
    const ended = deleted && {
      fact: `${name} was deleted`,
      origin: deleted.closed,
    };
    return {
      kind: "document_absent",
      detail: ended === null ? `${name} has never been indexed.` : `${name} was deleted.`,
      ended,
    };
  }
  if (openAt(person.registrations, position) === null) {
    const deleted = endedBy(person.registrations, position);
    return {
      kind: "not_registered",
      detail: `${email} is not registered on ${datasource}${deleted === null ? "" : " any more"}, and sees none of its documents.`,
      ended: deleted && {
        fact: `${email} was deleted from ${datasource}`,
        origin: deleted.closed,
      },
    };
  }
  return findLapse(situation) ?? neverGranted(situation);
}

/** Nothing that is missing was ever there. */
function neverGranted({ subject: { email, datasource, documentId, position }, document, graph }: Situation): Missing {
  const name = `${datasource}/${documentId}`;
  const groups = [...document.groups]
    .filter(([, intervals]) => openAt(intervals, position) !== null)
    .map(([group]) => group);
  if (groups.length === 0) {
    const isByDefault = openAt(document.byDefault, position) !== null;
    const nobody = isByDefault
      ? `${name} grants nobody: it was pushed without permissions, and the datasource's default_access was nobody.`
      : `${name} grants nobody.`;
    const isGranted = [...document.users.values()].some((intervals) => openAt(intervals, position) !== null);
    return {
      kind: "no_grant",
      detail: isGranted ? `${name} grants other people, and no group.` : nobody,
      ended: null,
    };
  }
  if (grantedGroups(document, graph, position).size === 0) {
    return {
      kind: "group_absent",
      detail: `${name} grants only groups that do not exist: ${listed(groups)}.`,
      ended: null,
    };
  }
  return {
    kind: "not_a_member",
    detail: `${email} belongs to none of the groups that ${name} grants: ${listed(groups)}.`,
    ended: null,
  };
}

const listed = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(", ")
    : `${names.slice(0, mostNamed).join(", ")} and ${names.length - mostNamed} more`;
