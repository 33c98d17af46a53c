import type { Logger } from "pino";
import type { Config } from "../config.js";
import type { Projecting } from "../daemon/openProjecting.js";
import { createLogger } from "../logging.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { logEngine } from "./eventLog.js";
import { openReadModels, type ReadModelRegistry } from "./readModels.js";
import { warnOnFailure } from "./embedder.js";

/** The threads that project, with the settings, which are plain data and can be sent to them. */
export const projectingThreads = (config: Config) => ({
  projector: new URL("./projectorThread.js", import.meta.url),
  rebuild: new URL("./rebuildThread.js", import.meta.url),
  config,
});

/** Tells the program's log that a file was damaged that holds nothing that lasts. */
export const tellSetAside =
  (logger: Logger) =>
  (kept: string): void =>
    logger.error({ kept }, "A file was damaged. It is set aside and made anew; it held nothing that lasts.");

/** Opens the log for the projections of this thread, and the read models, of which nothing is opened yet. */
export async function openProjecting(config: Config): Promise<Projecting & { readonly readModels: ReadModelRegistry }> {
  const engine = await logEngine(config);
  const log = engine.openForProjections();
  const source = log.source();
  const logger = createLogger({ ...config, logTo: "stderr" });
  const readModels = openReadModels(config, {
    logHead: () => source.head(),
    holds: (checkpoint, categories) => source.holds(checkpoint, categories),
    onSetAside: tellSetAside(logger),
    onEmbedderFailure: warnOnFailure(logger, "Vectors could not be made of documents; they are tried again."),
  });
  return {
    ...{ log, readModels, tokens: new PrincipalTokens(config.namespace) },
    close: async () => {
      await readModels.close();
      await source.close();
      await log.close();
    },
  };
}
