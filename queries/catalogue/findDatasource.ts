import { failed, ok } from "../../src/shared/result.js";
import { waitUntil } from "../consistency.js";
import type { CatalogueReader } from "../ports.js";
import type { Queries } from "../queries.js";

/** A live datasource with its whole sub tree (spec: GET /datasources/{name}). */
export function createFindDatasource(
  catalogue: CatalogueReader,
  consistencyTimeoutMs: number,
): Queries["findDatasource"] {
  return async ({ name, atLeast }) => {
    const consistent = await waitUntil(atLeast, [catalogue], consistencyTimeoutMs);
    if (!consistent.ok) return consistent;
    const datasource = await catalogue.find(name);
    return datasource === null ? failed({ type: "DatasourceNotFound", datasource: name }) : ok(datasource);
  };
}
