import { toEmail, toGroupName } from "../../shared/ids.js";
import { isLongerThan } from "../validation/characters.js";
import { tooLong, tooShort, valueError, type Issue, type Location } from "../validation/issue.js";
import { textRules } from "../validation/parameters.js";

/**
 * Folding can make a name longer: one beyond its limit would be listed, and no address could name it. Nor could one that
 * clients take for a folder, as they do in ids of documents.
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
