import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { Config } from "../config.js";
import type { ProcessRole } from "../daemon/processRole.js";
import type { ProjectionFeed } from "../daemon/projectionFeed.js";
import { ProjectionErrorLog } from "../operations/status/projectionErrors.js";
import { ProjectionStatuses } from "../operations/status/projectionStatuses.js";
import type { ReadModels } from "./readModels.js";
import type { ReadSide } from "./readSide.js";

export interface StatusParts {
  readonly readModels: ReadModels;
  readonly readSide: Pick<ReadSide, "history">;
  readonly source: EventSource;
  readonly feed: ProjectionFeed;
  readonly role: ProcessRole;
  readonly logger: Logger;
}

/** Where projections stand. */
export const openStatuses = async (
  { eventStoreUrl }: Pick<Config, "eventStoreUrl">,
  { readModels, readSide: { history }, logger, ...services }: StatusParts,
): Promise<ProjectionStatuses> =>
  new ProjectionStatuses({
    ...services,
    readModels: readModels.all,
    logUnit: eventStoreUrl === null ? "events" : "bytes",
    errors: new ProjectionErrorLog(await readModels.errors(), logger),
    bulkRemovals: {
      readModel: readModels.permissionHistory,
      list: () => history.use(({ bulkRemovals }) => bulkRemovals()),
    },
  });
