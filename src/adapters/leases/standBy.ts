import { EngineUnavailable, type LeaseGrant } from "../../../projections/ports.js";
import { delay } from "../../shared/delay.js";

/**
 * Asks an engine for a lease until it is granted; null where the signal aborts first. Throws `EngineUnavailable` where
 * the engine fails.
 */
export async function standBy<Grant extends LeaseGrant>(
  ask: () => Promise<Grant | null> | Grant | null,
  pollMs: number,
  signal: AbortSignal,
): Promise<Grant | null> {
  while (!signal.aborted) {
    const grant = await asked(ask);
    if (grant !== null && !signal.aborted) return grant;
    await grant?.release();
    await delay(pollMs, signal);
  }
  return null;
}

async function asked<Grant>(ask: () => Promise<Grant | null> | Grant | null): Promise<Grant | null> {
  try {
    return await ask();
  } catch (error) {
    throw new EngineUnavailable("The lease could not be asked for.", { cause: error });
  }
}
