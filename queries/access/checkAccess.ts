import type { DatasourceName, DocumentId, Email } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

export interface CheckAccess extends Consistency {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly email: Email;
}

/**
 * Compares what the person holds on the datasource, through groups of groups as well, with the tokens that the search
 * index holds for the document. A document that is still being processed is not found (spec: Documents). A person who
 * is not registered on the datasource has no access. Refused while the datasource's group closure cannot be trusted.
 */
export async function checkAccess(
  { search, access, catalogue, ...limits }: Readers,
  { datasource: name, documentId, email, atLeast }: CheckAccess,
): QueryResult<{ readonly hasAccess: boolean }> {
  const consistent = await waitUntilProjected(atLeast, [search, access, catalogue], limits);
  if (!consistent.ok) return consistent;
  const datasource = await catalogue.find(name);
  if (datasource === null) return failed({ type: "DatasourceNotFound", datasource: name });
  const document = await search.find(name, documentId);
  if (document === null) return failed({ type: "DocumentNotFound", id: documentId });
  if (await access.isParked(datasource.datasourceId)) return failed({ type: "AccessUnavailable", datasource: name });
  return ok({ hasAccess: await access.holdsAny(datasource.datasourceId, email, document.tokens) });
}
