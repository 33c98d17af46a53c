import type { Logger } from "pino";
import { evolve, initialState } from "../../commands/projection/versions.js";
import type { EventSource } from "../../projections/ports.js";
import type { LogReader } from "../audit/ports/log.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import { projectionKinds, type ProjectionEvent, type ProjectionName } from "../events/projection.js";
import { projectionStream } from "../events/streams.js";
import { delay } from "../shared/delay.js";
import type { Position } from "../shared/position.js";
import { ToldProjectionFeed } from "./projectionFeed.js";

const maxBatchSize = 100;
const retryDelayMs = 1_000;
const lookMs = 5;

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
  const follower = new Follower(source, logger, await source.head());
  for (const name of Object.keys(projectionKinds) as ProjectionName[]) {
    follower.feed.tell(name, initialState());
    for (const event of await log.readStream(projectionStream(name), 0)) follower.take(event);
  }
  follower.start();
  return follower;
}

class Follower implements FollowedProjections {
  readonly feed = new ToldProjectionFeed();
  private readonly revisions = new Map<ProjectionName, number>();
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: EventSource,
    private readonly logger: Logger,
    private after: Position,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** What was taken already is passed over. */
  take({ event, revision }: RecordedEvent): void {
    const { data } = event as ProjectionEvent;
    if (revision <= (this.revisions.get(data.projection) ?? -1)) return;
    this.revisions.set(data.projection, revision);
    this.feed.tell(data.projection, evolve(this.feed.of(data.projection), event as ProjectionEvent));
  }

  async reached(position: Position, timeoutMs: number): Promise<void> {
    const patience = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(timeoutMs)]);
    while (this.after < position && !patience.aborted) await delay(lookMs, patience);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.subscribe(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.error(
          { err: error },
          "Which versions of read models are served cannot be followed; it is tried again.",
        );
        await delay(retryDelayMs, signal);
      }
    }
  }

  private async subscribe(signal: AbortSignal): Promise<void> {
    for await (const { events, position } of this.source.subscribe({
      after: this.after,
      categories: ["projection"],
      maxBatchSize,
      signal,
    })) {
      for (const event of events) this.take(event);
      this.after = position;
    }
  }
}
