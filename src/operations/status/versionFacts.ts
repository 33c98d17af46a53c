import type { VersionFacts } from "../../daemon/ports.js";
import { messageOf } from "../../daemon/projectAndLog.js";
import { isKnownHere, type ProcessRole } from "../../daemon/processRole.js";
import type { ReadModel } from "../../daemon/readModel.js";

/** Why the facts of a version could not be had: its engine does not answer. */
export interface NoFacts {
  readonly failure: string;
}

export const factsIn = (found: VersionFacts | NoFacts): VersionFacts | null => ("failure" in found ? null : found);

/** Looks at a version where it is stored, whether anybody serves it or not. */
export async function lookAt(
  readModel: ReadModel,
  version: number,
  role: ProcessRole,
): Promise<VersionFacts | NoFacts> {
  const { placement } = readModel;
  if (placement !== "shared" && !isKnownHere(readModel, role)) return { failure: placement.elsewhere };
  try {
    return await readModel.facts(version);
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
