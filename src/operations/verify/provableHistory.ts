import type { Checkpointed } from "../../../queries/ports.js";
import { differing, historyKindOf, ofHistoryDrift, suspendedKind } from "./comparedDifferences.js";
import { compareHistories } from "./history/compareHistories.js";
import type { ComparedHistory } from "./history/comparison.js";
import type { HistorySubjectKind } from "./history/historySubjects.js";
import { proofOfHistory } from "./proof.js";
import type { Provable } from "./provable.js";

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
      differences: [
        ...drift.map(ofHistoryDrift),
        ...suspended.map(({ name }) =>
          differing(suspendedKind, name, [{ aspect: "tells nothing, so it was not compared" }]),
        ),
      ],
    };
  },
});
