import type { AppendOutcome } from "../commands/ports.js";

/** Resolves once all of these are in the log. Throws where the log refused one. */
export async function untilAppended(appends: readonly Promise<AppendOutcome>[]): Promise<void> {
  for (const outcome of await Promise.all(appends))
    if (outcome.kind !== "appended") throw new Error("The benchmark's log was refused.");
}
