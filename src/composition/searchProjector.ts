import { searchProjection } from "../../projections/search/project.js";
import { createSearchWriter } from "../../projections/search/searchWriter.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import { OpenParts } from "./openParts.js";
import { projectAndLog, type ProjectorGroup, type ProjectorTelling } from "./projectorGroup.js";
import { projectLiveVersion } from "./projectLiveVersion.js";
import { openSearchProjecting, type SearchConfig } from "./searchEngine.js";

/** The projection that keeps the search collection. */
export function openSearchProjector(
  config: EventLogConfig & SearchConfig,
  { feed, logger, onProjectionError }: ProjectorTelling,
): Promise<ProjectorGroup> {
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const onFailure = (error: unknown): void =>
      logger.error({ err: error }, "Following up a change of a datasource failed; the next write tries again.");
    const engine = parts.add(await openSearchProjecting(config, onFailure), (part) => part.close());
    const tokens = new PrincipalTokens(config.namespace);
    return {
      lease: engine.lease,
      project: (grant, signal) =>
        projectLiveVersion({
          name: "search",
          feed,
          signal,
          project: async (version, until) => {
            const index = await engine.writer(version, grant);
            const writer = createSearchWriter({ index, contents: log.contents, tokens });
            try {
              await projectAndLog(
                {
                  projection: searchProjection,
                  writer,
                  source: log.source({ batches: true }),
                  version,
                  signal: until,
                  onProjectionError,
                },
                logger,
              );
            } finally {
              await index.close();
            }
          },
        }),
      close: () => parts.release(),
    };
  });
}
