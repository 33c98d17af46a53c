import { createAccess, type AccessServices } from "./access/access.js";
import type { AuditQueries } from "./auditQueries.js";
import { createPastSearch, type PastSearchServices } from "./search/pastSearch.js";
import { createHistory, type HistoryServices } from "./asOf/history.js";

export type AuditOptions = AccessServices & HistoryServices & PastSearchServices;

/** The registry of questions about the past: a new one is a file and a line here. */
export function createAuditQueries(options: AuditOptions): AuditQueries {
  return { access: createAccess(options), history: createHistory(options), search: createPastSearch(options) };
}
