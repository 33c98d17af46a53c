import type { AccountRecord } from "../../src/readModels/credentials.js";
import { ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

/** Everybody who may sign in, oldest account first, including those who are disabled. Passwords are nowhere. */
export async function listAccounts(
  { credentials, ...limits }: Readers,
  { atLeast }: Consistency,
): QueryResult<readonly AccountRecord[]> {
  const consistent = await waitUntilProjected(atLeast, [credentials], limits);
  return consistent.ok ? ok(await credentials.accounts()) : consistent;
}
