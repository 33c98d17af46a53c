import { checkPastSearchParameters } from "../messages/pastSearch.js";
import type { QueryString } from "../validation/queryString.js";
import { recordQuestion } from "../../audit/routes/recordQuestion.js";
import { searcherOf, type ApiContext } from "../apiContext.js";
import { checked, valueOf } from "../envelopes.js";
import { requireRoles } from "../middleware/authentication.js";
import { toSearchAnswer } from "../representations.js";

/** A search as of a moment, or as somebody else: for auditors. */
export async function searchPast(context: ApiContext, query: QueryString): Promise<void> {
  requireRoles(context, ["auditor"], "Searching as somebody else, or as of a moment,");
  const { search, at, user } = checked(checkPastSearchParameters(query, new Date()));
  const searcher = searcherOf(context);
  const person = user ?? searcher.person;
  const {
    at: time,
    position,
    ...page
  } = valueOf(
    await context.services.audit.search({ ...searcher, ...search, person, at, atLeast: context.state.atLeast }),
  );
  const answered = { question: "search", about: { user: person }, asOf: position } as const;
  await recordQuestion(context, answered, search.startPage > 0);
  const note = `What ${person} could see ${time === null ? "at the beginning" : `as of ${time}`}, found by today's titles and texts: what was deleted since is missing, and what has changed since is shown as it is now.`;
  context.body = { ...toSearchAnswer(page, search), as_of: time, as_of_position: position, as_user: person, note };
}
