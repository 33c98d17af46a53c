import type { Logger } from "pino";
import { evolve, initialState } from "../../commands/projection/versions.js";
import type { EventSource } from "../../projections/ports.js";
import type { LogReader } from "../../queries/audit/ports.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import { projectionKinds, type ProjectionEvent, type ProjectionName } from "../events/projection.js";
import { projectionStream } from "../events/streams.js";
import { delay } from "../shared/delay.js";
import type { Position } from "../shared/position.js";
import { ToldProjectionFeed } from "./projectionFeed.js";

const maxBatchSize = 100;
const retryDelayMs = 1_000;

/** A feed from the log, and its end. */
export interface FollowedProjections {
  readonly feed: ToldProjectionFeed;
  stop(): Promise<void>;
}

/**
 * Follows which versions of read models there are: reads their streams, which are short, and subscribes to what comes
 * after. A log that is away is asked again; meanwhile things stay as they were.
 */
export async function followProjections(log: LogReader, source: EventSource, logger: Logger): Promise<FollowedProjections> {
  const feed = new ToldProjectionFeed();
  const revisions = new Map<ProjectionName, number>();
  const follow = ({ event, revision }: RecordedEvent): void => {
    const { data } = event as ProjectionEvent;
    if (revision <= (revisions.get(data.projection) ?? -1)) return;
    revisions.set(data.projection, revision);
    feed.tell(data.projection, evolve(feed.of(data.projection), event as ProjectionEvent));
  };
  let after = await source.head();
  for (const name of Object.keys(projectionKinds) as ProjectionName[]) {
    feed.tell(name, initialState());
    for (const event of await log.readStream(projectionStream(name), 0)) follow(event);
  }
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        after = await followFrom(after, source, stopping.signal, follow);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.error({ err: error }, "Which versions of read models are served cannot be followed; it is tried again.");
        await delay(retryDelayMs, stopping.signal);
      }
    }
  };
  const running = run();
  return {
    feed,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function followFrom(start: Position, source: EventSource, signal: AbortSignal, follow: (event: RecordedEvent) => void): Promise<Position> {
  let after = start;
  for await (const { events, position } of source.subscribe({ after, categories: ["projection"], maxBatchSize, signal })) {
    for (const event of events) follow(event);
    after = position;
  }
  return after;
}
