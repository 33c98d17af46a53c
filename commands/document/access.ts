import type { DefaultAccess } from "../../src/events/datasource.js";
import type { DocumentAccess } from "../../src/events/document.js";

/**
 * What a document's access list comes to: distinct and sorted; without a `permissions` block what its datasource says
 * of such documents, which is everybody registered where it says nothing (spec: Visibility rules, 2).
 */
export function toDocumentAccess(access: DocumentAccess | null, defaultAccess: DefaultAccess): DocumentAccess {
  if (access === null) return { anonymous: defaultAccess === "anonymous", users: [], groups: [], isDefault: true };
  return { anonymous: access.anonymous, users: distinctSorted(access.users), groups: distinctSorted(access.groups) };
}

/**
 * True where both grant access by the same tokens (spec: Documents, rule 5). Takes lists that are distinct and sorted.
 */
export const isSameAccess = (a: DocumentAccess, b: DocumentAccess): boolean =>
  a.anonymous === b.anonymous && isSameList(a.users, b.users) && isSameList(a.groups, b.groups);

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

function distinctSorted<Value extends string>(values: readonly Value[]): readonly Value[] {
  const isSo = values.every((value, index) => index === 0 || (values[index - 1] ?? "") < value);
  return isSo ? values : [...new Set(values)].sort();
}
