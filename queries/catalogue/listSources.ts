import type { Datasource } from "../../src/events/datasource.js";
import type { Email } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

export interface ListSources extends Consistency {
  readonly person: Email;
}

/** The datasources on which a person is registered, by name: of others nobody learns that they are there. */
export async function listSources(
  { access, catalogue, tokens, ...limits }: Readers,
  { person, atLeast }: ListSources,
): QueryResult<readonly Datasource[]> {
  const consistent = await waitUntilProjected(atLeast, [access, catalogue], limits);
  if (!consistent.ok) return consistent;
  const held = new Set((await access.heldTokens(person)).tokens);
  return ok((await catalogue.list()).filter(({ datasourceId }) => held.has(tokens.anonymous(datasourceId))));
}
