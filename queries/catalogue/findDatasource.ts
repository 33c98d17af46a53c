import type { Datasource } from "../../src/events/datasource.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

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
