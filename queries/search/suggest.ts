import type { Suggestion } from "../../src/readModels/suggestions.js";
import type { Email } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

export interface Suggest extends Consistency {
  readonly person: Email;
  /** What was typed so far. */
  readonly query: string;
  readonly count: number;
}

/**
 * Completes what a person types, from titles and words of the documents that a search of theirs would find: the index
 * tells of nothing that shares no token with what the person holds.
 */
export async function suggest(
  { search: index, access, ...limits }: Readers,
  { person, query, count, atLeast }: Suggest,
): QueryResult<readonly Suggestion[]> {
  const consistent = await waitUntilProjected(atLeast, [index, access], limits);
  if (!consistent.ok) return consistent;
  return ok(await index.suggest({ query, held: await access.heldTokens(person), askedBy: person, count }));
}
