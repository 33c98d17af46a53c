import { checkPastSearchParameters } from "../../validation/pastSearchParameters.js";
import type { QueryString } from "../../validation/queryString.js";
import { personOf, type ApiContext } from "../apiContext.js";
import { checked, valueOf } from "../envelopes.js";
import { requireRole } from "../middleware/authentication.js";
import { toSearchAnswer } from "../representations.js";
import type { ParameterDescription } from "../route.js";

/** A search as of a moment, or as somebody else: for auditors. */
export async function searchPast(context: ApiContext, query: QueryString): Promise<void> {
  requireRole(context, "auditor");
  const { search, at, user } = checked(checkPastSearchParameters(query, new Date()));
  const person = user ?? personOf(context);
  const {
    at: time,
    position,
    ...page
  } = valueOf(await context.services.audit.search({ ...search, person, at, atLeast: context.state.atLeast }));
  const note = `What ${person} could see ${time === null ? "at the beginning" : `as of ${time}`}, found by today's titles and texts: what was deleted since is missing, and what has changed since is shown as it is now.`;
  context.body = { ...toSearchAnswer(page, search), as_of: time, as_of_position: position, as_user: person, note };
}

const inQuery = (name: string, description: string): ParameterDescription => ({
  name,
  in: "query",
  description,
  schema: { type: "string" },
});

/** Of the search route. */
export const pastSearchParameters: readonly ParameterDescription[] = [
  inQuery(
    "as_of",
    "For a key with the role `auditor`: an ISO 8601 time, a consistency token or the position of an event. Finds what the person could see then, by today's titles and texts.",
  ),
  inQuery(
    "as_user",
    "For a key with the role `auditor`: the login email of the person to search as, as of `as_of`, or now. Left out: the key's person.",
  ),
];
