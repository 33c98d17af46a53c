import { failed, ok } from "../../src/shared/result.js";
import { waitUntil } from "../consistency.js";
import type { AccessReader, CatalogueReader, SearchReader } from "../ports.js";
import type { Queries } from "../queries.js";

export interface CheckAccessReaders {
  readonly search: SearchReader;
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly consistencyTimeoutMs: number;
}

/**
 * Compares what the person holds on the datasource, groups of groups included, with the tokens that the search index
 * holds of the document; a document that is still being processed is not found (spec: Documents). Who is not registered
 * on the datasource has no access. Refused while the datasource's group closure cannot be trusted.
 */
export function createCheckAccess(readers: CheckAccessReaders): Queries["checkAccess"] {
  const { search, access, catalogue, consistencyTimeoutMs } = readers;
  return async ({ datasource: name, documentId, email, atLeast }) => {
    const consistent = await waitUntil(atLeast, [search, access, catalogue], consistencyTimeoutMs);
    if (!consistent.ok) return consistent;
    const datasource = await catalogue.find(name);
    if (datasource === null) return failed({ type: "DatasourceNotFound", datasource: name });
    const document = await search.find(name, documentId);
    if (document === null) return failed({ type: "DocumentNotFound", id: documentId });
    if (await access.isParked(datasource.datasourceId)) return failed({ type: "AccessUnavailable", datasource: name });
    return ok({ hasAccess: await access.holdsAny(datasource.datasourceId, email, document.tokens) });
  };
}
