import type { AuditQueries } from "../../../queries/audit/auditQueries.js";
import { mostCounted, type ChangedItem } from "../../../queries/audit/historyQuestions.js";
import { ok } from "../../shared/result.js";
import { MemoryBudget } from "../memoryBudget.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import type { Trial, WhatIf } from "./trial.js";
import { tryRequests } from "./tryRequests.js";

export interface WhatIfServices extends Pick<RouteServices, "intake" | "maxBodyBytes"> {
  readonly audit: Pick<AuditQueries, "history">;
  /** As of now. */
  openTrial(): Promise<Trial>;
}

/** Hands requests to the API's own handlers, on a log that forgets, and compares who may see what before and after. */
export function createWhatIf(routes: readonly DescribedRoute[], { audit, openTrial, intake, maxBodyBytes }: WhatIfServices): WhatIf {
  return async (requests, context, count) => {
    const { commands, position, events } = await openTrial();
    const services = { commands, intake, maxBodyBytes, memory: new MemoryBudget(maxBodyBytes), settle: () => Promise.resolve() };
    const outcomes = await tryRequests(requests, routes, services, context);
    const ask = (change: "gains" | "losses"): ReturnType<AuditQueries["history"]> =>
      audit.history({ question: { kind: "difference", change, events: events() }, at: { kind: "position", position }, next: null, count });
    const gains = await ask("gains");
    if (!gains.ok) return gains;
    const losses = await ask("losses");
    if (!losses.ok) return losses;
    const { at, position: asOf, total: totalGains = 0 } = gains.value;
    const { total: totalLosses = 0 } = losses.value;
    return ok({
      ...{ at, position: asOf, outcomes, total_gains: totalGains, total_losses: totalLosses },
      total_relation: Math.max(totalGains, totalLosses) >= mostCounted ? "gte" : "eq",
      gains: gains.value.items as ChangedItem[],
      losses: losses.value.items as ChangedItem[],
    });
  };
}
