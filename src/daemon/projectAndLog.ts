import type { Logger } from "pino";
import type { EventSource, Projection, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { firstVersion } from "../events/projection.js";

/** What is told of a projection that could not go on, or not with everything; `recovered`: it goes on. */
export interface ProjectionErrorReport {
  readonly projection: string;
  readonly version: number;
  readonly kind: "failure" | "parked" | "recovered";
  /** A sentence; empty where it goes on. */
  readonly message: string;
}

export type OnProjectionError = (report: ProjectionErrorReport) => void;

export interface ProjectionStart<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  /** Closed when the projection ends. */
  readonly source: EventSource & { close(): void | Promise<void> };
  readonly signal: AbortSignal;
  /** Version of the read model that is written; left out: the first. */
  readonly version?: number;
  /**
   * Called for each failure of the engine, of each event that was parked, and of the first batch that is written at the
   * start and after a failure.
   */
  readonly onProjectionError?: OnProjectionError;
  /** Events of one batch; a thousand where left out. */
  readonly maxBatchSize?: number;
}

const defaultBatchSize = 1_000;
export const retryDelayMs = 1_000;

/** Runs one projection until the signal aborts, and logs what becomes of it. */
export async function projectAndLog<Change>(start: ProjectionStart<Change>, groupLogger: Logger): Promise<void> {
  const { projection, version = firstVersion, onProjectionError } = start;
  const logger = groupLogger.child({ projection: projection.name });
  const tell = (kind: ProjectionErrorReport["kind"], message = ""): void =>
    onProjectionError?.({ projection: projection.name, version, kind, message });
  const { writer, noteFailure } = telling(start.writer, () => tell("recovered"));
  const run = runProjection({
    ...start,
    writer,
    maxBatchSize: start.maxBatchSize ?? defaultBatchSize,
    retryDelayMs,
    onParked: ({ position, stream, eventType, scope, error }) => {
      logger.error(
        { position: position.toString(), stream, eventType, scope, error },
        "An event was parked; its scope fails closed.",
      );
      tell("parked", `The event at position ${position} was parked: ${error}`);
    },
    onFailure: (error) => {
      noteFailure();
      logger.error({ err: error }, "A projection waits for its engine and will try again.");
      tell("failure", messageOf(error));
    },
  });
  await run.finally(() => start.source.close());
}

/** The error in a sentence. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Calls back with the first batch that is written, because the process that wrote before may have left an error open;
 * and with the first batch after each failure.
 */
function telling<Change>(
  writer: ProjectionWriter<Change>,
  onGoingOn: () => void,
): { readonly writer: ProjectionWriter<Change>; noteFailure(): void } {
  let isGoingOn = false;
  return {
    noteFailure: () => (isGoingOn = false),
    writer: {
      checkpoint: () => writer.checkpoint(),
      apply: async (batch) => {
        const outcome = await writer.apply(batch);
        if (!isGoingOn) onGoingOn();
        isGoingOn = true;
        return outcome;
      },
    },
  };
}
