import type { Logger } from "pino";
import { catalogue } from "../../projections/catalogue/project.js";
import { contentErasure } from "../../projections/contentErasure/project.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import { OpenParts } from "./openParts.js";
import { projectAndLog, type ProjectorGroup } from "./projectorGroup.js";
import { openReadModelProjecting, type ReadModelConfig } from "./readModelEngine.js";

/** The projections of access, catalogue and credentials, and the reaction that erases texts. */
export function openReadModelsProjector(config: EventLogConfig & ReadModelConfig, logger: Logger): Promise<ProjectorGroup> {
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const engine = parts.add(await openReadModelProjecting(config), (part) => part.close());
    return {
      lease: engine.lease,
      project: async (grant, signal) => {
        const writers = engine.writers(grant, log.contents);
        try {
          await Promise.all([
            projectAndLog({ projection: groupClosure, writer: writers.groupClosure, source: log.source(), signal }, logger),
            projectAndLog({ projection: catalogue, writer: writers.catalogue, source: log.source(), signal }, logger),
            projectAndLog({ projection: credentials, writer: writers.credentials, source: log.source(), signal }, logger),
            projectAndLog({ projection: contentErasure, writer: writers.contentErasure, source: log.source({ gathers: true }), signal }, logger),
          ]);
        } finally {
          writers.close();
        }
      },
      close: () => parts.release(),
    };
  });
}
