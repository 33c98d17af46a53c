import { setImmediate as nextTurn } from "node:timers/promises";
import { createUndo } from "../../commands/undo/createUndo.js";
import type { UndoLog } from "../../commands/undo/ports.js";
import type { Undo } from "../../commands/undo/undo.js";
import type { EventSource } from "../../projections/ports.js";
import { createVerification } from "../../queries/verification/createVerification.js";
import type { Verification } from "../../queries/verification/verification.js";
import { projectionKinds, type ProjectionName } from "../events/projection.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What operators use when something is not as it should be. */
export interface OperatorSide {
  readonly verification: Verification;
  readonly undo: Undo;
}

/** Whom the two sides are opened for waits this long for read models to come as far as the log, and for a repair. */
const patienceMs = { reach: 30_000, repair: 10 * 60_000 };

/** Proving what is served against the log, and taking back what should not have been written. */
export async function openOperatorSide(config: EventLogConfig, { commands, source, streams, log }: WriteSide, readSide: ReadSide, feed: ProjectionFeed): Promise<OperatorSide & { close(): Promise<void> }> {
  const { contents, close } = await openLogForProjections(config);
  const isProjection = (name: string): name is ProjectionName => Object.hasOwn(projectionKinds, name);
  const undoLog: UndoLog = {
    readStream: (stream, fromRevision) => streams.readStream(stream, fromRevision),
    readLast: (stream) => log.readLast(stream),
    head: () => source.head(),
    readRange: (after, upTo, categories) => readRange(source, { after, upTo, categories }),
  };
  return {
    verification: createVerification({
      log: source,
      tokens: new PrincipalTokens(config.namespace),
      served: readSide.served,
      versionOf: (name) => (isProjection(name) ? feed.of(name).live : 1),
      parked: (name) => (isProjection(name) ? readSide.parked(name) : Promise.resolve([])),
      rest: () => nextTurn(),
      patienceMs,
    }),
    undo: createUndo({ commands, log: undoLog, texts: contents }),
    close,
  };
}

type Range = Pick<Parameters<EventSource["subscribe"]>[0], "after" | "categories"> & { readonly upTo: bigint };

async function* readRange(source: EventSource, { after, upTo, categories }: Range): ReturnType<UndoLog["readRange"]> {
  if (after >= upTo) return;
  const ending = new AbortController();
  try {
    for await (const { events, position, caughtUp } of source.subscribe({ after, categories, maxBatchSize: 1_000, signal: ending.signal })) {
      yield events.filter((event) => event.position <= upTo);
      if (caughtUp || position >= upTo) return;
    }
  } finally {
    ending.abort();
  }
}
