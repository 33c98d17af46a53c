import type { Logger } from "pino";
import type { ReadModelName } from "../events/projection.js";
import { delay } from "../shared/delay.js";
import type { ProjectionFeed } from "./projectionFeed.js";

const retryDelayMs = 100;

/** What goes over to another version of a read model. */
export interface GoingOver<Opened> {
  readonly name: ReadModelName;
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The version that questions are answered from. */
  served(): number;
  open(version: number): Promise<Opened>;
  /** Waits until it answers and is where the other one is; false where yet another version is to be served by then. */
  isAsFar(next: Opened, version: number): Promise<boolean>;
  /** Questions use it from here on. */
  replace(next: Opened): void;
  /** It was opened in vain. */
  close(next: Opened): Promise<unknown> | unknown;
}

/**
 * Goes over to the version that is to be served, and to whichever comes next meanwhile, until it is the one that
 * answers.
 */
export async function goOverToLive<Opened>({
  name,
  feed,
  logger,
  signal,
  served,
  open,
  isAsFar,
  replace,
  close,
}: GoingOver<Opened>): Promise<void> {
  while (!signal.aborted && feed.of(name).live !== served()) {
    const version = feed.of(name).live;
    let next: Opened | null = null;
    try {
      next = await open(version);
      if (!(await isAsFar(next, version))) continue;
      replace(next);
      next = null;
      logger.info({ projection: name, version }, "Another version of a read model is served now.");
    } catch (error) {
      logger.error(
        { err: error, projection: name, version },
        "The version of a read model that is to be served cannot be opened; it is tried again.",
      );
      await delay(retryDelayMs, signal);
    } finally {
      if (next !== null) await close(next);
    }
  }
}
