import { createAccess, type AccessServices } from "./access/access.js";
import type { AskedHistory, ServedHistory } from "./asOf/askedHistory.js";
import type { AuditQueries } from "./auditQueries.js";
import { createHistory, type HistoryServices } from "./asOf/history.js";
import { listInventory } from "./inventory/listInventory.js";
import { createPastSearch, type PastSearchServices } from "./search/pastSearch.js";

type Services = AccessServices & HistoryServices & PastSearchServices;

/** One set of the readers that requests are answered from. */
type ServedSet = AccessServices["served"] & PastSearchServices["served"];

export interface AuditOptions extends Omit<Services, "clock" | "progress" | "page" | "served"> {
  readonly history: ServedHistory;
  /** Asks a question of one set; and again of the next, where that took over while the question waited. */
  readonly served: { use<Answer>(ask: (served: ServedSet) => Promise<Answer>): Promise<Answer> };
}

/**
 * Answers questions about the past. Each uses one version of the permission history, and one set of what is served,
 * from beginning to end.
 */
export function createAuditQueries({ history, served, ...services }: AuditOptions): AuditQueries {
  const over = (asked: AskedHistory): Omit<Services, "served"> => {
    const { clock, page } = asked;
    return { ...services, clock, page, progress: asked };
  };
  const ofBoth = <Answer>(ask: (given: Services) => Promise<Answer>): Promise<Answer> =>
    history.use((asked) => served.use((set) => ask({ ...over(asked), served: set })));
  return {
    access: (question) => ofBoth((given) => createAccess(given)(question)),
    history: (question) => history.use((asked) => createHistory(over(asked))(question)),
    inventory: (question) =>
      history.use((asked) =>
        served.use(({ search }) =>
          listInventory(question, {
            ...{ log: services.log, patienceMs: services.patienceMs, progress: asked },
            history: () => asked.history(),
            inventory: () => asked.inventory(),
            searchable: () => search.position(),
          }),
        ),
      ),
    search: (question) => ofBoth((given) => createPastSearch(given)(question)),
  };
}
