import { ok } from "../../src/shared/result.js";
import { waitUntil } from "../consistency.js";
import type { CatalogueReader } from "../ports.js";
import type { Queries } from "../queries.js";

/** Every live datasource, by name. */
export function createListDatasources(
  catalogue: CatalogueReader,
  consistencyTimeoutMs: number,
): Queries["listDatasources"] {
  return async ({ atLeast }) => {
    const consistent = await waitUntil(atLeast, [catalogue], consistencyTimeoutMs);
    return consistent.ok ? ok(await catalogue.list()) : consistent;
  };
}
