import { isKnownHere, type ProcessRole } from "../../daemon/processRole.js";
import type { ServedReadModels } from "../../daemon/servedReadModels.js";
import type { EventSource } from "../../events/eventSource.js";
import type { Progress } from "../../http/metrics.js";
import type { ProjectionStatuses } from "./projectionStatuses.js";

interface ProgressServices {
  readonly source: Pick<EventSource, "head">;
  readonly served: ServedReadModels;
  readonly statuses: ProjectionStatuses;
  readonly role: ProcessRole;
}

/** What the metrics say of each projection. */
export async function progressOf({ source, served, statuses, role }: ProgressServices): Promise<Progress> {
  const { projections, bulk_removals: removals } = await statuses.list();
  return {
    log: await source.head(),
    readModels: await served.positions((readModel) => isKnownHere(readModel, role)),
    projections,
    bulkRemovals: removals?.length ?? null,
  };
}
