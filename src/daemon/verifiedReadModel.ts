import type { VerifiedReadModel } from "../operations/verify/createVerification.js";
import type { ServedReadModel } from "./versioned.js";

/** Lets verification hold what is served of a read model against the log; null: there is nothing to compare. */
export function verifiedReadModel({ readModel, version: served, reader }: ServedReadModel): VerifiedReadModel | null {
  const { provable } = readModel;
  if (provable === null) return null;
  return {
    progress: reader,
    prove: async (look, version) => {
      if (version === null && !provable.needsOneVersion)
        return { proof: provable.prove(look, reader, reader), close: () => undefined };
      const opened = await readModel.openReader(version ?? served());
      // Of whatever is served at the time: the opened version stands still once it is superseded.
      const progress = version === null ? reader : opened.reader;
      return { proof: provable.prove(look, opened.reader, progress), close: () => opened.close() };
    },
  };
}
