import { setImmediate as nextTurn } from "node:timers/promises";
import { initialState } from "../../commands/projection/versions.js";
import { createUndo, type UndoServices } from "../operations/undo/createUndo.js";
import type { UndoLog } from "../operations/undo/ports.js";
import type { Undo, UndoSight } from "../operations/undo/undo.js";
import type { EventSource } from "../../projections/ports.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import { mostCounted, type ChangedItem } from "../audit/historyQuestions.js";
import { createVerification } from "../operations/verify/createVerification.js";
import type { Verification } from "../operations/verify/verification.js";
import { projectionKinds, type ProjectionName } from "../events/projection.js";
import type { Config } from "../config.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { StreamCategory } from "../events/streams.js";
import { toPosition } from "../shared/position.js";
import { positionBefore, readUpTo, type LogStretch } from "../shared/readUpTo.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { openComparedHistory } from "./comparedHistory.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import type { PermissionHistoryReader } from "./permissionHistoryReader.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What operators use when something is not as it should be. */
export interface OperatorSide {
  readonly verification: Verification;
  readonly undo: Undo;
}

export interface OperatorParts {
  readonly writeSide: WriteSide;
  readonly readSide: ReadSide;
  readonly feed: ProjectionFeed;
  readonly history: PermissionHistoryReader;
  readonly audit: AuditQueries;
}

/** So many of those who gain, and of those who lose, are told. */
const toldSights = 100;

/** As `audit what-if` does it. */
const createTryOut =
  (openTrial: WriteSide["openTrial"], audit: AuditQueries): UndoServices["tryOut"] =>
  async (run) => {
    const trial = await openTrial(null);
    if (trial === null) return null;
    const { commands, position, events } = trial;
    await run(commands);
    const ask = (change: "gains" | "losses"): ReturnType<AuditQueries["history"]> =>
      audit.history({
        question: { kind: "difference", change, events: events() },
        at: { kind: "position", position },
        next: null,
        count: toldSights,
      });
    const [gains, losses] = [await ask("gains"), await ask("losses")];
    if (!gains.ok || !losses.ok) return null;
    const [totalGains, totalLosses] = [gains.value.total ?? 0, losses.value.total ?? 0];
    const visibilityOf = (items: readonly object[]): UndoSight[] =>
      (items as readonly ChangedItem[]).map(({ user_email: email, document }) => ({ user_email: email, document }));
    return {
      ...{
        total_gains: totalGains,
        total_losses: totalLosses,
        total_relation: Math.max(totalGains, totalLosses) >= mostCounted ? "gte" : "eq",
      },
      ...{ gains: visibilityOf(gains.value.items), losses: visibilityOf(losses.value.items) },
    };
  };

/** Whom the two sides are opened for waits this long for read models to come as far as the log, and for a repair. */
const patienceMs = { reach: 30_000, repair: 10 * 60_000 };

/** Proving what is served against the log, and taking back what should not have been written. */
export async function openOperatorSide(
  config: EventLogConfig & Pick<Config, "dataDir">,
  { writeSide: { commands, source, streams, log, openTrial }, readSide, feed, history, audit }: OperatorParts,
): Promise<OperatorSide & { close(): Promise<void> }> {
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
      versionsOf: (name) => {
        const { live, underWay, kept } = isProjection(name) ? feed.of(name) : initialState();
        // What is served here may be the one before; see `standInFor`.
        return {
          live: name === "permissionHistory" ? history.served() : live,
          underWay: underWay?.version ?? null,
          kept,
        };
      },
      open: (name, version) => readSide.open(name, version),
      history: { open: (version) => openComparedHistory(config.dataDir, version, source), progress: history.clock },
      parked: async (name) => {
        if (!isProjection(name)) return [];
        return name === "permissionHistory" ? history.parked() : readSide.parked(name);
      },
      rest: () => nextTurn(),
      patienceMs,
    }),
    undo: createUndo({ commands, log: undoLog, texts: contents, tryOut: createTryOut(openTrial, audit) }),
    close,
  };
}

const eventsAtOnce = 1_000;

async function* readRange(
  source: EventSource,
  { after, upTo, categories }: Pick<LogStretch<RecordedEvent, StreamCategory>, "after" | "upTo" | "categories">,
): ReturnType<UndoLog["readRange"]> {
  if (after >= upTo) return;
  // An undo begins at a position that it was told, not where an event stands.
  const from = toPosition(after + 1n);
  const stretch = {
    log: source,
    after: await positionBefore(source, from),
    upTo,
    categories,
    maxBatchSize: eventsAtOnce,
  };
  for await (const { events } of readUpTo(stretch)) yield events.filter(({ position }) => position >= from);
}
