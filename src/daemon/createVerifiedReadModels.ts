import { initialState } from "../../commands/projection/versions.js";
import type { ParkedEvent } from "../../projections/ports.js";
import { firstVersion } from "../events/projection.js";
import type { VerifiedReadModel, VerifiedReadModels } from "../operations/verify/provable.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";
import type { ServedReadModel, ServedReadModels } from "./servedReadModels.js";

interface VerifiedParts {
  /** null: there is no projection of this name. */
  readModel(name: string): ReadModel | null;
  readonly served: ServedReadModels;
  readonly feed: ProjectionFeed;
}

/** Shows verification a projection's versions and parked events, and lets it compare what is served with the log. */
export const createVerifiedReadModels = ({ readModel, served, feed }: VerifiedParts): VerifiedReadModels => ({
  readModel: (name) => {
    const one = served.named(name);
    return one === null ? null : verifiedReadModel(one);
  },
  versionsOf: (name) => {
    const known = readModel(name);
    const { live, underWay, kept } = known === null ? initialState() : feed.of(known.name);
    const isHere = known === null || known.placement === "shared";
    // What is served in a folder of its own may be the version before; see `standInFor`.
    const servedHere = isHere ? null : served.named(name);
    return { live: servedHere?.version() ?? live, underWay: underWay?.version ?? null, kept };
  },
  parked: async (name) => {
    const known = readModel(name);
    if (known === null) return [];
    return served.named(name)?.parked() ?? parkedIn(known, firstVersion);
  },
});

/** null: this read model cannot be compared. */
function verifiedReadModel({ readModel, version: served, reader }: ServedReadModel): VerifiedReadModel | null {
  const { provable } = readModel;
  if (provable === null) return null;
  return {
    progress: reader,
    prove: async (look, version) => {
      if (version === null && !provable.needsOneVersion)
        return { proof: provable.prove(look, reader, reader), close: () => undefined };
      const opened = await readModel.openReader(version ?? served());
      // A version that was superseded stands still, so progress is asked of whatever is served.
      const progress = version === null ? reader : opened.reader;
      return { proof: provable.prove(look, opened.reader, progress), close: () => opened.close() };
    },
  };
}

/** The parked events of a reaction: no question is answered from it, and it has one version. */
async function parkedIn(readModel: ReadModel, version: number): Promise<readonly ParkedEvent[]> {
  const opened = await readModel.openReader(version);
  try {
    return await opened.parked.list(readModel.name);
  } finally {
    await opened.close();
  }
}
