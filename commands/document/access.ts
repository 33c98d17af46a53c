import type { DefaultAccess } from "../../src/events/datasource.js";
import { beginningOf } from "../../src/shared/texts.js";
import { isSingleAddress } from "../../src/shared/ids.js";
import { refuseGroupName } from "../group/groupName.js";
import type { DocumentAccess } from "../../src/events/document.js";

/**
 * What a document's access list comes to: distinct and sorted; without a `permissions` block what its datasource says
 * of such documents, which is everybody registered where it says nothing (spec: Visibility rules, 2).
 */
export function toDocumentAccess(access: DocumentAccess | null, defaultAccess: DefaultAccess): DocumentAccess {
  if (access === null) return { anonymous: defaultAccess === "anonymous", users: [], groups: [], isDefault: true };
  return { anonymous: access.anonymous, users: distinctSorted(access.users), groups: distinctSorted(access.groups) };
}

/** How many names that grant nobody are told, and how much of each. */
const mostTold = 5;
const longestTold = 64;

/**
 * What a client is told of addresses that nobody can sign in with, and of groups that cannot exist: they are recorded
 * as they are, and grant nobody. null: there are none.
 */
export function remarkOnNobody({ users, groups }: DocumentAccess, productName: string): string | null {
  const names = [
    ...users.filter((email) => !isSingleAddress(email)),
    ...groups.filter((name) => refuseGroupName(name, productName) !== null),
  ];
  if (names.length === 0) return null;
  const told = names.slice(0, mostTold).map((name) => JSON.stringify(beginningOf(name, longestTold)));
  const more = names.length > told.length ? ` and ${names.length - told.length} more` : "";
  return `Its permissions name what can be nobody: ${told.join(", ")}${more}.`;
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
