import type { Moment } from "../../audit/auditQueries.js";
import type { Email } from "../../shared/ids.js";
import { failed, ok } from "../../shared/result.js";
import { AuditParameters } from "../../audit/messages/auditParameters.js";
import type { QueryString } from "../validation/queryString.js";
import type { Checked } from "../validation/message.js";
import type { ParameterDescription } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import { checkSearchParameters, type SearchParameters } from "./search.js";

/** The parameters of a search as of a moment, checked. */
export interface PastSearchParameters {
  readonly search: SearchParameters;
  readonly at: Moment;
  /** As whom to search; null: as the key's person. */
  readonly user: Email | null;
}

/** Whether a search asks about the past, or about somebody else: that takes a role. */
export const isPastSearch = (parameters: QueryString): boolean => parameters.has("as_of") || parameters.has("as_user");

/** Checks the parameters of `GET /api/beta/search` where it {@link isPastSearch}. */
export function checkPastSearchParameters(parameters: QueryString, now: Date): Checked<PastSearchParameters> {
  const search = checkSearchParameters(parameters, now);
  const given = new AuditParameters(parameters, [...parameters.keys()]);
  const asked = given.checked({
    at: given.moment("as_of"),
    user: parameters.has("as_user") ? given.user("as_user") : null,
  });
  if (search.ok && asked.ok) return ok({ search: search.value, ...asked.value });
  return failed([search, asked].flatMap((outcome) => (outcome.ok ? [] : outcome.error)));
}

/** What a search takes besides, to ask about the past. */
export const pastSearchDescriptions: readonly ParameterDescription[] = [
  inQuery(
    "as_of",
    "For a key with the role `auditor`: an ISO 8601 time, a consistency token or the position of an event. Finds what the person could see then, by today's titles and texts.",
  ),
  inQuery(
    "as_user",
    "For a key with the role `auditor`: the login email of the person to search as, as of `as_of`, or now. Left out: the key's person.",
  ),
];
