import { compareReadModels } from "./compareReadModels.js";
import {
  differing,
  kindOf,
  differencesOfDrift,
  differencesInMotion,
  suspendedKind,
  historyKindOf,
  ofHistoryDrift,
} from "./comparedDifferences.js";
import type { ComparedReaders } from "./ports.js";
import { proofOfReadModel, proofOfHistory } from "./proof.js";
import type { Provable } from "./provable.js";
import type { SubjectKind } from "./expectedSubjects.js";
import type { Checkpointed } from "../../../queries/ports.js";
import { compareHistories } from "./history/compareHistories.js";
import type { ComparedHistory } from "./history/comparison.js";
import type { HistorySubjectKind } from "./history/historySubjects.js";

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
        ...notCompared(suspended, "answers nobody, so its people were not compared"),
      ],
    };
  },
});

/** The permission history. It counts nothing by itself: what no event has named is looked for among what it tells. */
export const provableHistory = <Reader extends Checkpointed>(
  historyOf: (reader: Reader) => ComparedHistory,
): Provable<Reader> => ({
  needsOneVersion: true,
  prove: (look, reader, progress) => proofOfHistory(look, historyOf(reader), progress),
  compare: async (look, live, next) => {
    const { position, compared, drift, suspended } = await compareHistories({
      ...look,
      served: historyOf(next),
      against: historyOf(live),
    });
    return {
      position,
      compared: [
        ...Object.entries(compared).map(([kind, count]) => [historyKindOf(kind as HistorySubjectKind), count] as const),
        [suspendedKind, suspended.length],
      ],
      differences: [...drift.map(ofHistoryDrift), ...notCompared(suspended, "tells nothing, so it was not compared")],
    };
  },
});

const notCompared = (suspended: readonly { readonly name: string }[], aspect: string) =>
  suspended.map(({ name }) => differing(suspendedKind, name, [{ aspect }]));
