import type { Logger } from "pino";
import { logDamageAdvice } from "../shared/failures.js";
import { delay } from "../shared/waiting.js";
import type { LogForCommands } from "./ports.js";
import { setAsideDamaged } from "./openReader.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";

interface PageChecking {
  readonly log: Pick<LogForCommands, "isDamaged">;
  /** The read models that this process projects. */
  readonly readModels: readonly ReadModel[];
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
}

/** What comes up at a start goes first. */
const beginAfterMs = 5_000;

/**
 * Looks once, after a start, whether files are damaged where nobody may read for long: the answers of a damaged index
 * could hold less than they should. A damaged read model is set aside, and built anew from the log.
 */
export function startPageChecks(checking: PageChecking): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const checked = checkAll(checking, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await checked;
    },
  };
}

async function checkAll({ log, readModels, feed, logger }: PageChecking, signal: AbortSignal): Promise<void> {
  await delay(beginAfterMs, signal);
  const read = new Set<string>();
  for (const readModel of readModels) {
    const version = feed.of(readModel.name).live;
    const identity = readModel.identity(version);
    if (signal.aborted) return;
    // The small read models lie in one file. What has no identity is no file.
    if (identity === null || read.has(identity)) continue;
    read.add(identity);
    if (await readModel.isDamaged(version, signal)) await setAsideDamaged(readModel, version, identity, logger);
  }
  if (!signal.aborted && (await log.isDamaged(signal))) logger.error(logDamageAdvice);
}
