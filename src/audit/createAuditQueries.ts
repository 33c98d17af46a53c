import { createAccess, type AccessServices } from "./access/access.js";
import type { AskedHistory, ServedHistory } from "./asOf/askedHistory.js";
import type { AuditQueries } from "./auditQueries.js";
import { createHistory, type HistoryServices } from "./asOf/history.js";
import { createPastSearch, type PastSearchServices } from "./search/pastSearch.js";

type Services = AccessServices & HistoryServices & PastSearchServices;

export interface AuditOptions extends Omit<Services, "clock" | "progress" | "page"> {
  readonly history: ServedHistory;
}

/** Answers questions about the past. Each uses one version of the permission history from beginning to end. */
export function createAuditQueries({ history, ...services }: AuditOptions): AuditQueries {
  const over = (asked: AskedHistory): Services => {
    const { clock, page } = asked;
    return { ...services, clock, page, progress: asked };
  };
  return {
    access: (question) => history.use((asked) => createAccess(over(asked))(question)),
    history: (question) => history.use((asked) => createHistory(over(asked))(question)),
    search: (question) => history.use((asked) => createPastSearch(over(asked))(question)),
  };
}
