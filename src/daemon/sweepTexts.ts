import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { OwnCommands } from "../../commands/commands.js";
import type { UnclaimedText, UnclaimedTexts } from "../../commands/ports.js";
import { EngineUnavailable } from "../../projections/ports.js";
import { repeatUntilStopped } from "../shared/waiting.js";

/** No push takes so long. One that did would be refused and tried again, not lost. */
const minimumAgeMs = 60 * 60_000;

const intervalMs = 60 * 60_000;

/** What a sweep is made with. */
export interface TextSweep {
  readonly texts: UnclaimedTexts;
  readonly withdraw: OwnCommands["withdrawContent"];
}

/**
 * Withdraws texts for which no event has come, now and then every hour, until it is stopped. In several processes, one
 * sweeps at a time. What fails is logged and tried again with the next sweep.
 */
export function startTextSweeps(sweep: TextSweep, logger: Logger): { stop(): Promise<void> } {
  return repeatUntilStopped(intervalMs, (signal) => sweepTexts(sweep, { olderThanMs: minimumAgeMs, logger, signal }));
}

interface SweepOptions {
  readonly olderThanMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** One sweep. Never rejects. */
export async function sweepTexts(
  { texts, withdraw }: TextSweep,
  { olderThanMs, logger, signal }: SweepOptions,
): Promise<void> {
  let withdrawn = 0;
  const visit = async (text: UnclaimedText): Promise<void> => {
    try {
      const answer = await withdraw(text, {
        by: "operator",
        correlationId: `text-sweep-${randomUUID()}`,
        allowedDatasources: null,
      });
      if (answer.ok) withdrawn++;
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error;
      logger.error({ err: error, stream: text.stream }, "A text without an event could not be withdrawn.");
    }
  };
  try {
    await texts.sweep(olderThanMs, visit, signal);
    if (withdrawn > 0)
      logger.info(
        { texts: withdrawn },
        "Texts were looked at for which no event had come, and withdrawn where none has.",
      );
  } catch (error) {
    if (!signal.aborted)
      logger.error({ err: error }, "Texts without an event could not be looked for; the next sweep tries again.");
  }
}
