import type { Datasource } from "../../src/events/datasource.js";
import { ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

/** Every live datasource, by name. */
export async function listDatasources(
  { catalogue, ...limits }: Readers,
  { atLeast }: Consistency,
): QueryResult<readonly Datasource[]> {
  const consistent = await waitUntilProjected(atLeast, [catalogue], limits);
  return consistent.ok ? ok(await catalogue.list()) : consistent;
}
