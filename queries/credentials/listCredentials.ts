import { ok } from "../../src/shared/result.js";
import { waitUntil } from "../consistency.js";
import type { CredentialReader } from "../ports.js";
import type { Queries } from "../queries.js";

/** Credentials of one kind, oldest first; revoked and expired ones too. Their secrets are nowhere. */
export function createListCredentials(
  credentials: CredentialReader,
  consistencyTimeoutMs: number,
): Queries["listCredentials"] {
  return async ({ kind, atLeast }) => {
    const consistent = await waitUntil(atLeast, [credentials], consistencyTimeoutMs);
    if (!consistent.ok) return consistent;
    const records = await credentials.list();
    return ok(records.filter((record) => record.kind === kind));
  };
}
