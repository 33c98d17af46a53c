import type { Moment } from "../audit/auditQueries.js";
import type { Email } from "../shared/ids.js";
import { failed, ok } from "../shared/result.js";
import { AuditParameters } from "./auditParameters.js";
import type { QueryString } from "./queryString.js";
import type { Checked } from "./requestBodies.js";
import { checkSearchParameters, type SearchParameters } from "./searchParameters.js";

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
