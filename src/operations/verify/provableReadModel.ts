import { compareReadModels } from "./compareReadModels.js";
import { differing, kindOf, differencesOfDrift, differencesInMotion, suspendedKind } from "./comparedDifferences.js";
import type { ComparedReaders } from "./ports.js";
import { proofOfReadModel } from "./proof.js";
import type { Provable } from "./provable.js";
import type { SubjectKind } from "./expectedSubjects.js";

/** Read models that requests are answered from: `reader` is what comparisons call theirs. */
export const provableReadModel = <Name extends keyof ComparedReaders>(
  reader: Name,
): Provable<Required<ComparedReaders>[Name]> => ({
  needsOneVersion: false,
  prove: (look, served, progress) => proofOfReadModel({ ...look, served: { [reader]: served } }, progress),
  compare: async (look, live, next) => {
    const { position, compared, drift, unsettled, suspended } = await compareReadModels({
      ...look,
      served: { [reader]: next },
      against: { [reader]: live },
    });
    return {
      position,
      compared: [
        ...Object.entries(compared).map(([kind, count]) => [kindOf(kind as SubjectKind), count] as const),
        [suspendedKind, suspended.length],
      ],
      // A datasource whose people some version answers nobody for could not be compared: that is a difference.
      differences: [
        ...drift.map(differencesOfDrift),
        ...unsettled.map(differencesInMotion),
        ...suspended.map(({ name }) =>
          differing(suspendedKind, name, [{ aspect: "answers nobody, so its people were not compared" }]),
        ),
      ],
    };
  },
});
