import type { Config } from "../config.js";
import type { ProjectingServices } from "../daemon/projectGroup.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { openLogForProjections, type EventLogConfig } from "./eventLog.js";
import { openReadModels, type ReadModels, type ReadModelsConfig } from "./readModels.js";

/** What a thread that projects needs to know of the settings: it logs by itself. */
export type ProjectingConfig = EventLogConfig & ReadModelsConfig & Pick<Config, "logLevel">;

/** What a thread projects with. */
export interface Projecting extends Pick<ProjectingServices, "log" | "tokens"> {
  readonly readModels: ReadModels;
  close(): Promise<void>;
}

/** Of the settings what can be sent to a thread. */
export const projectingConfig = (config: ProjectingConfig): ProjectingConfig => {
  const { dataDir, namespace, eventStoreUrl, redisUrl, typesenseUrl, typesenseApiKey } = config;
  const { consistencyTimeoutMs, logLevel } = config;
  return {
    ...{ dataDir, namespace, eventStoreUrl, redisUrl, typesenseUrl, typesenseApiKey },
    ...{ consistencyTimeoutMs, logLevel },
  };
};

/** Opens the log for the projections of this thread, and the read models, of which nothing is opened yet. */
export async function openProjecting(config: ProjectingConfig): Promise<Projecting> {
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
