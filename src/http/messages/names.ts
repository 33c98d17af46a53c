import type { tags } from "typia";
import { type MaxCharacters, isLongerThan } from "../validation/characters.js";
import { toEmail, toGroupName } from "../../shared/ids.js";
import { tooLong, tooShort, valueError, type Issue, type Location } from "../validation/issue.js";
import { textRules } from "../validation/parameters.js";

/** Lowercase words of letters and digits, joined by single underscores (spec: Naming rules). */
export type Slug = string & tags.Pattern<"^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$"> & MaxCharacters<64>;

/** A label that people read. */
export type Label = string & tags.MinLength<1> & MaxCharacters<256>;

/** Letters, digits, hyphen, underscore and dot; neither `.` nor `..`, which addresses take for folders. */
export type DocumentIdText = string &
  tags.Pattern<"^(\\.{0,2}[A-Za-z0-9_-][A-Za-z0-9._-]*|\\.{3}[A-Za-z0-9._-]*)$"> &
  MaxCharacters<200>;

export type EmailText = string & tags.MinLength<1> & MaxCharacters<254>;
/** Refers to a datasource; an unknown one is the service's answer, not a matter of form. */
export type DatasourceReference = string & tags.MinLength<1> & MaxCharacters<64>;

/**
 * No whitespace, and not starting with the product's name: broken, these are 400, not 422 (spec: Per-endpoint
 * statuses).
 */
export type GroupName = string & tags.MinLength<1> & MaxCharacters<128>;

export type PersonName = string & MaxCharacters<256>;

/**
 * Folding can make a name longer: one beyond its limit would be listed, and no address could name it. Nor could one
 * that clients take for a folder, as they do in ids of documents.
 */
const unnameable = (loc: Location, folded: string, { maxLength }: { readonly maxLength: number }): Issue[] => {
  if (folded === "." || folded === "..") return [valueError(loc, "addresses take . and .. for folders")];
  return isLongerThan(folded, maxLength) ? [tooLong(loc, maxLength)] : [];
};

/** An email of blanks alone is none. */
export const emptyEmailIssues = (loc: Location, email: string): Issue[] =>
  toEmail(email) === "" ? [tooShort(loc, 1)] : [];

export const emailIssues = (loc: Location, email: string): Issue[] => unnameable(loc, toEmail(email), textRules.email);

export const groupNameIssues = (loc: Location, name: string): Issue[] =>
  unnameable(loc, toGroupName(name), textRules.groupName);

/** A position in the log, in decimal digits. */
export type PositionText = string & tags.Pattern<"^[0-9]{1,18}$">;
