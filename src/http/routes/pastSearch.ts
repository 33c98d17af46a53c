import { checkPastSearchParameters } from "../../validation/pastSearchParameters.js";
import { success, type Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import { checked, valueOf } from "../envelopes.js";
import { toSearchAnswer } from "../representations.js";
import type { ParameterDescription, RouteServices } from "../route.js";

/** A search as of a moment, or as somebody else: for auditors. */
export async function searchPast(request: ApiRequest, { audit }: RouteServices): Promise<Answer> {
  request.requireRole("auditor");
  const { search, at, user } = checked(checkPastSearchParameters(request.query, new Date()));
  const person = user ?? request.person;
  const {
    at: time,
    position,
    ...page
  } = valueOf(await audit.search({ ...search, person, at, atLeast: request.atLeast }));
  const note = `What ${person} could see ${time === null ? "at the beginning" : `as of ${time}`}, found by today's titles and texts: what was deleted since is missing, and what has changed since is shown as it is now.`;
  return success({ ...toSearchAnswer(page, search), as_of: time, as_of_position: position, as_user: person, note });
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
