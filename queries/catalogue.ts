import type { Datasource } from "../src/events/datasource.js";
import type { DatasourceName, Email } from "../src/shared/ids.js";
import { failed, ok } from "../src/shared/result.js";
import { waitUntilProjected } from "./consistency.js";
import type { Readers } from "./ports.js";
import type { Consistency, QueryResult } from "./queryResult.js";

interface FindDatasource extends Consistency {
  readonly name: DatasourceName;
}

/** A live datasource with its whole sub tree (spec: GET /datasources/{name}). */
export async function findDatasource(
  { catalogue, ...limits }: Readers,
  { name, atLeast }: FindDatasource,
): QueryResult<Datasource> {
  const consistent = await waitUntilProjected(atLeast, [catalogue], limits);
  if (!consistent.ok) return consistent;
  const datasource = await catalogue.find(name);
  return datasource === null ? failed({ type: "DatasourceNotFound", datasource: name }) : ok(datasource);
}

/** Every live datasource, by name. */
export async function listDatasources(
  { catalogue, ...limits }: Readers,
  { atLeast }: Consistency,
): QueryResult<readonly Datasource[]> {
  const consistent = await waitUntilProjected(atLeast, [catalogue], limits);
  return consistent.ok ? ok(await catalogue.list()) : consistent;
}

interface ListSources extends Consistency {
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
