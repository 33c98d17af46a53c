import type { CredentialRecord } from "../../src/readModels/credentials.js";
import { ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

interface ListCredentials extends Consistency {
  readonly kind: CredentialRecord["kind"];
}

/** Credentials of one kind, oldest first, including revoked and expired ones. Their secrets are nowhere. */
export async function listCredentials(
  { credentials, ...limits }: Readers,
  { kind, atLeast }: ListCredentials,
): QueryResult<readonly CredentialRecord[]> {
  const consistent = await waitUntilProjected(atLeast, [credentials], limits);
  if (!consistent.ok) return consistent;
  const records = await credentials.list();
  return ok(records.filter((record) => record.kind === kind));
}
