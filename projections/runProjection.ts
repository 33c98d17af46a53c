import type { RecordedEvent } from "../src/events/domainEvent.js";
import type { Landmark } from "../src/events/eventSource.js";
import { firstVersion } from "../src/events/projection.js";
import { categoryOf, type StreamCategory } from "../src/events/streams.js";
import { delay } from "../src/shared/waiting.js";
import type { Position } from "../src/shared/position.js";
import { parkEvent } from "./parkEvent.js";
import {
  EngineUnavailable,
  type EventBatch,
  type EventSource,
  type ParkedEvent,
  type Projection,
  type ProjectionWriter,
} from "./ports.js";
import { isRequestFor, restoreScopes, type RestorationRequest } from "./restoreScopes.js";

interface ProjectionRun<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  readonly source: EventSource;
  readonly signal: AbortSignal;
  readonly maxBatchSize: number;
  /** Called for each event that was parked, for the log line and the metric. */
  onParked(event: ParkedEvent): void;
  /** Called for each failure of the engine; the run then waits `retryDelayMs` and goes on from its checkpoint. */
  onFailure(error: unknown): void;
  readonly retryDelayMs: number;
  /** The version of the read model that is written; the first where left out. */
  readonly version?: number;
}

/**
 * Runs one projection until the signal aborts: subscribe after the checkpoint, project a batch, commit effect and
 * checkpoint together. Delivery is at least once; the checkpoint decides what counts. An event that cannot be applied
 * is parked and its scope fails closed, the rest goes on. A failing engine is retried for as long as it takes.
 */
export async function runProjection<Change>(run: ProjectionRun<Change>): Promise<void> {
  while (!run.signal.aborted) {
    try {
      await runUntilConflict(run);
    } catch (error) {
      if (run.signal.aborted) return;
      run.onFailure(error);
      await delay(run.retryDelayMs, run.signal);
    }
  }
}

/** Ends after another process moved the checkpoint, so that the caller starts again from the new one. */
async function runUntilConflict<Change>(run: ProjectionRun<Change>): Promise<void> {
  let after = await run.writer.checkpoint();
  const { projection, maxBatchSize, signal, version = firstVersion } = run;
  const categories = [...projection.categories, requestCategory];
  for await (const batch of run.source.subscribe({ after, categories, maxBatchSize, signal })) {
    for (const part of partsOf(batch, (event) => isRequestFor({ projection, version }, event))) {
      const outcome =
        part.request === null
          ? await applyOrPark(run, after, part)
          : await restoreScopes({ ...run, version }, part.request, after);
      if (outcome === "checkpointConflict") return;
      after = part.position;
    }
  }
}

/** What operators ask of a projection stands in the log; the projection does it when it comes to that event. */
const requestCategory: StreamCategory = "projection";

type Part = EventBatch & { readonly request: RestorationRequest | null };

/** Cuts a batch at the requests to this projection, and drops the requests to others. */
function partsOf(batch: EventBatch, isRequest: (event: RecordedEvent) => boolean): readonly Part[] {
  const ours = batch.events.filter((event) => categoryOf(event.stream) !== requestCategory || isRequest(event));
  const parts: Part[] = [];
  let events: RecordedEvent[] = [];
  for (const event of ours) {
    if (!isRequest(event)) events.push(event);
    else {
      const before = events.at(-1);
      if (before !== undefined) parts.push({ events, position: before.position, caughtUp: true, request: null });
      parts.push({ events: [], position: event.position, caughtUp: true, request: event as RestorationRequest });
      events = [];
    }
  }
  return [...parts, { ...batch, events, request: null }];
}

type Applied = "applied" | "checkpointConflict";

/**
 * Applies the whole batch in one transaction. Where an event in it is at fault, each event gets a transaction of its
 * own, so that only the one at fault is parked.
 */
async function applyOrPark<Change>(run: ProjectionRun<Change>, after: Position, batch: EventBatch): Promise<Applied> {
  const attempt = await tryApply(run, {
    events: batch.events,
    after,
    position: batch.position,
    landmarks: landmarksOf(batch),
    moreToCome: !batch.caughtUp,
  });
  if (typeof attempt === "string") return attempt;
  let from = after;
  for (const event of batch.events) {
    if ((await applyOrParkOne(run, from, event)) === "checkpointConflict") return "checkpointConflict";
    from = event.position;
  }
  const { position } = batch;
  return run.writer.apply({ after: from, position, changes: [], parked: [], landmarks: landmarksOf(batch) });
}

const landmarksOf = ({ events, landmark }: EventBatch): readonly Landmark[] =>
  landmark === undefined ? events : [...events, landmark];

async function applyOrParkOne<Change>(
  run: ProjectionRun<Change>,
  after: Position,
  event: RecordedEvent,
): Promise<Applied> {
  const attempt = await tryApply(run, { events: [event], after, position: event.position, landmarks: [event] });
  if (typeof attempt === "string") return attempt;
  return parkEvent(run, event, attempt.error, { after, position: event.position });
}

/** Returns the error where the events are at fault; throws where the engine is. */
async function tryApply<Change>(
  run: ProjectionRun<Change>,
  step: {
    readonly events: readonly RecordedEvent[];
    readonly after: Position;
    readonly position: Position;
    readonly landmarks: readonly Landmark[];
    readonly moreToCome?: boolean;
  },
): Promise<Applied | { readonly error: unknown }> {
  try {
    const changes = step.events.flatMap((event) => run.projection.project(readable(event)));
    const { after, position, landmarks, moreToCome = false } = step;
    return await run.writer.apply({ after, position, changes, parked: [], landmarks, moreToCome });
  } catch (error) {
    if (error instanceof EngineUnavailable || step.events.length === 0) throw error;
    return { error };
  }
}

function readable(event: RecordedEvent): RecordedEvent {
  if (event.unreadable !== undefined) throw event.unreadable.reason;
  return event;
}
