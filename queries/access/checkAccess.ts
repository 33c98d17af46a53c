import type { DatasourceName, DocumentId, Email } from "../../src/shared/ids.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryFailure, QueryResult } from "../queryResult.js";

interface AccessCheck {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly email: Email;
}

export interface CheckAccess extends AccessCheck, Consistency {}

/** Several questions of that kind. */
export interface CheckAccesses extends Consistency {
  readonly checks: readonly AccessCheck[];
}

type Decided = Result<{ readonly hasAccess: boolean }, QueryFailure>;

/**
 * Compares what the person holds on the datasource, through groups of groups as well, with the tokens that the search
 * index holds for the document. A document that is still being processed is not found (spec: Documents). A person who
 * is not registered on the datasource has no access. Refused while the datasource's group closure cannot be trusted.
 */
export async function checkAccess(
  readers: Readers,
  { atLeast, ...check }: CheckAccess,
): QueryResult<{ readonly hasAccess: boolean }> {
  const consistent = await waitUntilReached(readers, atLeast);
  return consistent.ok ? decide(readers, check) : consistent;
}

/**
 * So many checks ask engines elsewhere at once; of those in this process, they hold up the event loop for milliseconds.
 */
const checksAtOnce = 32;

/** Decides each check as {@link checkAccess} does, in order: one that fails does not stop the others. */
export async function checkAccesses(
  readers: Readers,
  { atLeast, checks }: CheckAccesses,
): QueryResult<readonly Decided[]> {
  const consistent = await waitUntilReached(readers, atLeast);
  if (!consistent.ok) return consistent;
  const decided: Decided[] = [];
  for (let first = 0; first < checks.length; first += checksAtOnce) {
    const some = checks.slice(first, first + checksAtOnce);
    decided.push(...(await Promise.all(some.map((check) => decide(readers, check)))));
  }
  return ok(decided);
}

const waitUntilReached = ({ search, access, catalogue, ...limits }: Readers, atLeast: CheckAccess["atLeast"]) =>
  waitUntilProjected(atLeast, [search, access, catalogue], limits);

async function decide(
  { search, access, catalogue }: Readers,
  { datasource: name, documentId, email }: AccessCheck,
): Promise<Decided> {
  const datasource = await catalogue.find(name);
  if (datasource === null) return failed({ type: "DatasourceNotFound", datasource: name });
  const document = await search.find(name, documentId);
  if (document === null) return failed({ type: "DocumentNotFound", id: documentId });
  if (await access.isParked(datasource.datasourceId)) return failed({ type: "AccessUnavailable", datasource: name });
  return ok({ hasAccess: await access.holdsAny(datasource.datasourceId, email, document.tokens) });
}
