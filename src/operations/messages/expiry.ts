import { epochMilliseconds } from "../../shared/instant.js";
import { echo, valueError, type Issue } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";

/** An ISO 8601 time in the future. */
export type ExpiryText = string & MaxCharacters<64>;

/** What is wrong with it. */
export function expiryIssues(expiry: string | null | undefined): readonly Issue[] {
  if (expiry === undefined || expiry === null) return [];
  const time = epochMilliseconds(expiry);
  const loc = ["body", "expires_at"];
  if (time === null) return [{ ...valueError(loc, "it must be an ISO 8601 time"), ...echo(expiry) }];
  return time > Date.now() ? [] : [{ ...valueError(loc, "it must lie in the future"), ...echo(expiry) }];
}
