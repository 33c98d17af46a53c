import { toEmail, toGroupName } from "../../shared/ids.js";
import { isLongerThan } from "../validation/characters.js";
import { tooLong, tooShort, type Issue, type Location } from "../validation/issue.js";
import { textRules } from "../validation/parameters.js";

/** Folding can make a name longer: one beyond its limit would be listed, and no address could name it. */
const tooLongFolded = (loc: Location, folded: string, { maxLength }: { readonly maxLength: number }): Issue[] =>
  isLongerThan(folded, maxLength) ? [tooLong(loc, maxLength)] : [];

/** An email of blanks alone is none. */
export const emptyEmailIssues = (loc: Location, email: string): Issue[] =>
  toEmail(email) === "" ? [tooShort(loc, 1)] : [];

export const emailIssues = (loc: Location, email: string): Issue[] =>
  tooLongFolded(loc, toEmail(email), textRules.email);

export const groupNameIssues = (loc: Location, name: string): Issue[] =>
  tooLongFolded(loc, toGroupName(name), textRules.groupName);
