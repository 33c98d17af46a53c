import type { Projecting, ThreadConfig } from "../daemon/openProjecting.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { openLogForProjections, type EventLogConfig } from "./eventLog.js";
import { openReadModels, type ReadModelRegistry, type ReadModelsConfig } from "./readModels.js";

/** What a thread that projects needs to know of the settings. */
export type ProjectingConfig = EventLogConfig & ReadModelsConfig & ThreadConfig;

/** The threads that project, with what can be sent to them of the settings. */
export const projectingThreads = (config: ProjectingConfig) => ({
  projector: new URL("./projectorThread.js", import.meta.url),
  rebuild: new URL("./rebuildThread.js", import.meta.url),
  config: sendable(config),
});

const sendable = (config: ProjectingConfig): ProjectingConfig => {
  const { dataDir, namespace, eventStoreUrl, redisUrl, typesenseUrl, typesenseApiKey } = config;
  const { consistencyTimeoutMs, logLevel } = config;
  return {
    ...{ dataDir, namespace, eventStoreUrl, redisUrl, typesenseUrl, typesenseApiKey },
    ...{ consistencyTimeoutMs, logLevel },
  };
};

/** Opens the log for the projections of this thread, and the read models, of which nothing is opened yet. */
export async function openProjecting(
  config: ProjectingConfig,
): Promise<Projecting & { readonly readModels: ReadModelRegistry }> {
  const log = await openLogForProjections(config);
  const source = log.source();
  const readModels = openReadModels(config, { logHead: () => source.head() });
  return {
    ...{ log, readModels, tokens: new PrincipalTokens(config.namespace) },
    close: async () => {
      await readModels.close();
      await source.close();
      await log.close();
    },
  };
}
