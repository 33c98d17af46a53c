import { catalogue } from "../../projections/catalogue/project.js";
import { contentErasure } from "../../projections/contentErasure/project.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { LeaseGrant, Projection, ProjectionWriter } from "../../projections/ports.js";
import type { ProjectionName } from "../events/projection.js";
import { openLogForProjections, type EventLogConfig, type LogForProjections } from "./eventLogEngine.js";
import { OpenParts } from "./openParts.js";
import { projectAndLog, type ProjectorGroup, type ProjectorTelling } from "./projectorGroup.js";
import { projectLiveVersion } from "./projectLiveVersion.js";
import {
  firstPlaceOf,
  openReadModelProjecting,
  placeOf,
  type ReadModelConfig,
  type ReadModelProjecting,
  type SmallReadModelName,
} from "./readModelEngine.js";
import type { ReadModelWriters } from "./readModelWriters.js";
import { SharedOpenings } from "./sharedOpenings.js";

/** The projections of access, catalogue and credentials, and the reaction that erases texts. */
export function openReadModelsProjector(
  config: EventLogConfig & ReadModelConfig,
  { feed, logger, onProjectionError }: ProjectorTelling,
): Promise<ProjectorGroup> {
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const engine = parts.add(await openReadModelProjecting(config), (part) => part.close());
    return {
      lease: engine.lease,
      project: async (grant, signal) => {
        const places = writersByPlace(engine, log, grant);
        const run = <Change>(
          projection: Projection<Change> & { readonly name: string },
          name: ProjectionName,
          writerOf: (writers: ReadModelWriters) => ProjectionWriter<Change>,
          batches = false,
        ) =>
          projectLiveVersion({
            name,
            feed,
            signal,
            project: async (version, until) => {
              const place =
                name === "contentErasure"
                  ? firstPlaceOf(config)
                  : placeOf(config, { name: name as SmallReadModelName, version });
              const { opened, release } = await places.take(place);
              try {
                await projectAndLog(
                  {
                    projection,
                    writer: writerOf(opened),
                    source: log.source({ batches }),
                    version,
                    signal: until,
                    onProjectionError,
                  },
                  logger,
                );
              } finally {
                await release();
              }
            },
          });
        await Promise.all([
          run(groupClosure, "groupClosure", (writers) => writers.groupClosure),
          run(catalogue, "catalogue", (writers) => writers.catalogue),
          run(credentials, "credentials", (writers) => writers.credentials),
          run(contentErasure, "contentErasure", (writers) => writers.contentErasure, true),
        ]);
      },
      close: () => parts.release(),
    };
  });
}

/** Projections whose versions lie in one place share what is opened there. */
const writersByPlace = (engine: ReadModelProjecting, log: LogForProjections, grant: LeaseGrant | null) =>
  new SharedOpenings(
    async (place) => engine.writers(place, grant, { eraser: log.contents }),
    (writers) => writers.close(),
  );
