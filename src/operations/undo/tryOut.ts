import type { AuditQueries } from "../../audit/auditQueries.js";
import { largestTotal, type ChangedItem } from "../../audit/historyQuestions.js";
import type { OpenTrial } from "../../audit/trial/trial.js";
import type { UndoServices } from "./createUndo.js";
import type { UndoSight } from "./undo.js";

/** So many of those who gain, and of those who lose, are told. */
const toldSights = 100;

/** Tries what an undo would do, as `audit what-if` tries requests, and tells who would gain and who would lose. */
export const createTryOut =
  (openTrial: OpenTrial, audit: AuditQueries): UndoServices["tryOut"] =>
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
        total_relation: Math.max(totalGains, totalLosses) >= largestTotal ? "gte" : "eq",
      },
      ...{ gains: visibilityOf(gains.value.items), losses: visibilityOf(losses.value.items) },
    };
  };
