import type { Logger } from "pino";
import { evolve, initialState } from "../../commands/projection/versions.js";
import type { EventSource } from "../../projections/ports.js";
import type { LogReader } from "../audit/ports/log.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import { projectionKinds, type ProjectionEvent, type ProjectionName } from "../events/projection.js";
import { projectionStream } from "../events/streams.js";
import type { Position } from "../shared/position.js";
import { LogFollower } from "./logFollower.js";
import { ToldProjectionFeed } from "./projectionFeed.js";

const maxBatchSize = 100;

/** A feed from the log, and its end. */
export interface FollowedProjections {
  readonly feed: ToldProjectionFeed;
  /** Resolves once everything up to this position has been followed, or after `timeoutMs`. */
  reached(position: Position, timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Follows which versions of read models there are: reads their streams, which are short, and subscribes to what comes
 * after. A log that is away is asked again; meanwhile things stay as they were.
 */
export async function followProjections(
  log: LogReader,
  source: EventSource,
  logger: Logger,
): Promise<FollowedProjections> {
  const follower = new ProjectionsFollower(source, logger, await source.head());
  for (const name of Object.keys(projectionKinds) as ProjectionName[]) {
    follower.feed.tell(name, initialState());
    for (const event of await log.readStream(projectionStream(name), 0)) follower.take(event);
  }
  follower.start();
  return follower;
}

class ProjectionsFollower implements FollowedProjections {
  readonly feed = new ToldProjectionFeed();
  private readonly revisions = new Map<ProjectionName, number>();
  private readonly follower: LogFollower;

  constructor(source: EventSource, logger: Logger, after: Position) {
    this.follower = new LogFollower(
      {
        ...{ source, logger, categories: ["projection"], maxBatchSize },
        failure: "Which versions of read models are served cannot be followed; it is tried again.",
        take: (event) => this.take(event),
      },
      after,
    );
  }

  start(): void {
    this.follower.start();
  }

  /** What was taken already is passed over. */
  take({ event, revision }: RecordedEvent): void {
    const { data } = event as ProjectionEvent;
    if (revision <= (this.revisions.get(data.projection) ?? -1)) return;
    this.revisions.set(data.projection, revision);
    this.feed.tell(data.projection, evolve(this.feed.of(data.projection), event as ProjectionEvent));
  }

  async reached(position: Position, timeoutMs: number): Promise<void> {
    await this.follower.reached(position, timeoutMs);
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }
}

/** Whether the read models serve a position, after waiting for it `timeoutMs` at most. */
type HasReached = (position: Position, timeoutMs: number) => Promise<boolean>;

const stepMs = 1_000;

/** Resolves once the read models serve a position, or the signal aborts. */
export async function untilReached(position: Position, hasReached: HasReached, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await hasReached(position, stepMs)));
}
