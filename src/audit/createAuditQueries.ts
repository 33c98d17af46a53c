import { createAccess, type AccessServices } from "./access/access.js";
import type { AuditQueries } from "./auditQueries.js";
import { createPastSearch, type PastSearchServices } from "./search/pastSearch.js";
import { createHistory, type HistoryServices } from "./asOf/history.js";

export type AuditOptions = AccessServices & HistoryServices & PastSearchServices;

/** Answers questions about the past. */
export function createAuditQueries(options: AuditOptions): AuditQueries {
  return { access: createAccess(options), history: createHistory(options), search: createPastSearch(options) };
}
