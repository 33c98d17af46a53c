import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Checkpointed } from "../../queries/ports.js";
import type { EventSource } from "../events/eventSource.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/failures.js";
import { openReader, type IdentifiedReader } from "./openReader.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";

/** One read model, of which another version is to be served. */
interface Switching<Reader extends Checkpointed> {
  readonly readModel: ReadModel<Reader>;
  readonly feed: ProjectionFeed;
  readonly log: Pick<EventSource, "holds">;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The version that is served. */
  version(): number;
  /** What answers now; null: nothing does, so nobody has been told anything that the next version might not know. */
  served(): Checkpointed | null;
  replace(next: IdentifiedReader<Reader> & { readonly version: number }): void;
}

const stepMs = 250;
const retryDelayMs = 100;

/** Switches to the version that is live, whichever that is by then, and tries until it answers. */
export async function switchToLive<Reader extends Checkpointed>(switching: Switching<Reader>): Promise<void> {
  const { readModel, feed, logger, signal } = switching;
  while (!signal.aborted && feed.of(readModel.name).live !== switching.version()) {
    const version = feed.of(readModel.name).live;
    let next: IdentifiedReader<Reader> | null = null;
    try {
      next = await openReader(readModel, version, logger);
      if (!(await hasCaughtUp(switching, next, version))) continue;
      switching.replace({ version, ...next });
      next = null;
      logger.info({ projection: readModel.name, version }, "Another version of a read model is served now.");
    } catch (error) {
      logger.error(
        { err: error, projection: readModel.name, version },
        "The version of a read model that is to be served cannot be opened; it is tried again.",
      );
      await delay(retryDelayMs, null, { signal }).catch(() => null);
    } finally {
      await next?.close();
    }
  }
}

/**
 * Waits until the reader is of this log, and where the one before is; false where another version is to be served by
 * then, or another storage stands in its place.
 */
async function hasCaughtUp<Reader extends Checkpointed>(
  { readModel, feed, log, signal, served }: Switching<Reader>,
  { reader: next, identity }: IdentifiedReader<Reader>,
  version: number,
): Promise<boolean> {
  const pause = (): Promise<unknown> => delay(retryDelayMs, null, { signal }).catch(() => null);
  while (!signal.aborted && feed.of(readModel.name).live === version) {
    try {
      const isOfThisLog = await log.holds(await readModel.checkpoint(version), readModel.categories);
      if (readModel.identity(version) !== identity) return false;
      if (!isOfThisLog) {
        await pause();
        continue;
      }
      const position = await positionOf(served());
      if (position !== null && !(await next.reached(position, stepMs))) continue;
      await readModel.probe(next);
      const now = await positionOf(served());
      if (now === null || now <= (await next.position())) return true;
    } catch (error) {
      if (!(error instanceof ReadModelUnavailable)) throw error;
      await pause();
    }
  }
  return false;
}

/** null where it cannot answer. */
async function positionOf(reader: Checkpointed | null): Promise<Position | null> {
  try {
    return reader && (await reader.position());
  } catch (error) {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  }
}
