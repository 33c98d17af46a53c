import { checkAccess, checkAccesses } from "./access/checkAccess.js";
import { findDatasource, listDatasources, listSources } from "./catalogue.js";
import { authenticate, authenticateSession, listAccounts, listCredentials } from "./credentials.js";
import type { Readers } from "./ports.js";
import { findDocument, findTextPart } from "./search/findDocument.js";
import { search, suggest } from "./search/search.js";

export type { CheckAccess, CheckAccesses } from "./access/checkAccess.js";
export type { Consistency, QueryFailure, QueryResult } from "./queryResult.js";
export type { FindDocument, FindTextPart } from "./search/findDocument.js";
export type { Search } from "./search/search.js";
export type { Suggest } from "./search/search.js";

/** Everything that can be asked of the read side. docs/extending.md tells what else a new question touches. */
const queries = {
  authenticate,
  authenticateSession,
  checkAccess,
  checkAccesses,
  findDatasource,
  findDocument,
  findTextPart,
  listAccounts,
  listCredentials,
  listDatasources,
  listSources,
  search,
  suggest,
};

type Query = (readers: Readers, question: never) => Promise<unknown>;
type Bound<Ask> = Ask extends (readers: never, question: infer Question) => infer Answer
  ? (question: Question) => Answer
  : never;

/** The queries with their readers bound: callers need not know which versions answer. */
export type Queries = { readonly [Name in keyof typeof queries]: Bound<(typeof queries)[Name]> };

/** Runs a query with the readers that are served now, and keeps these open until it has answered. */
type UseReaders = <Answer>(query: (readers: Readers) => Promise<Answer>) => Promise<Answer>;

/** Every query, each asked of the readers that `use` gives it. */
export function bindQueries(use: UseReaders): Queries {
  const bind = (query: Query) => (question: never) => use((readers) => query(readers, question));
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, bind(query)])) as unknown as Queries;
}
