import type { VerifiedReadModel } from "../operations/verify/createVerification.js";
import type { ServedReadModel } from "./versioned.js";

/** What is served of a read model, to be held against the log; null: nothing of it can be. */
export function verifiedReadModel({ readModel, version: served, reader }: ServedReadModel): VerifiedReadModel | null {
  const { provable } = readModel;
  if (provable === null) return null;
  return {
    progress: reader,
    prove: async (look, version) => {
      if (version === null && !provable.needsOneVersion)
        return { proof: provable.prove(look, reader, reader), close: () => undefined };
      const opened = await readModel.openReader(version ?? served());
      // What is served may be superseded meanwhile: that it stands still then is no reason to wait.
      const progress = version === null ? reader : opened.reader;
      return { proof: provable.prove(look, opened.reader, progress), close: () => opened.close() };
    },
  };
}
