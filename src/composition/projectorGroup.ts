import type { Logger } from "pino";
import type { EventSource, Lease, LeaseGrant, Projection, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import { remedyFor } from "./damagedFile.js";

/** Projections that share a thread and, where their engine has one, a lease. */
export interface ProjectorGroup {
  /** null: every process may project, the engine's checkpoints decide. */
  readonly lease: Lease | null;
  /** Projects until the signal aborts, under the grant of the lease. */
  project(grant: LeaseGrant | null, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What projections are told, and whom they tell. */
export interface ProjectorTelling {
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  /** See `ProjectionStart`. */
  onTrouble?(projection: string, message: string): void;
}

export interface ProjectionStart<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  /** Closed when the projection ends. */
  readonly source: EventSource & { close(): void | Promise<void> };
  readonly signal: AbortSignal;
  /** Of the read model that is written; the first where left out. */
  readonly version?: number;
  /** Told of each failure of the engine and of each event that was parked, in a sentence. */
  onTrouble?(projection: string, message: string): void;
  /** Events of one batch; a thousand where left out. */
  readonly maxBatchSize?: number;
}

const defaultBatchSize = 1_000;
export const retryDelayMs = 1_000;

/** Runs one projection until the signal aborts, and logs what becomes of it. */
export async function projectAndLog<Change>(start: ProjectionStart<Change>, groupLogger: Logger): Promise<void> {
  const logger = groupLogger.child({ projection: start.projection.name });
  const run = runProjection({
    ...start,
    maxBatchSize: start.maxBatchSize ?? defaultBatchSize,
    retryDelayMs,
    onParked: ({ position, stream, eventType, scope, error }) => {
      logger.error({ position: position.toString(), stream, eventType, scope, error }, "An event was parked; its scope fails closed.");
      start.onTrouble?.(start.projection.name, `The event at position ${position} was parked: ${error}`);
    },
    onFailure: (error) => {
      logger.error({ err: error }, remedyFor(error) ?? "A projection waits for its engine and will try again.");
      start.onTrouble?.(start.projection.name, error instanceof Error ? error.message : String(error));
    },
  });
  await run.finally(() => start.source.close());
}
