import { formatScope, type Scope } from "../../events/scope.js";
import type { Position } from "../../shared/position.js";
import type { Checkpointed } from "../../../queries/ports.js";
import { compareReadModels, type Comparison } from "./compareReadModels.js";
import type { Difference } from "./answers.js";
import { compareHistories } from "./history/compareHistories.js";
import type { ComparedHistory, HistoryComparison, HistoryDrift } from "./history/comparison.js";
import { historyKey } from "./history/historySubjects.js";
import { historyRepairs, repairsOf } from "./repairSteps.js";
import { keyOf } from "./expectedSubjects.js";
import type { DriftAnswer, VerificationProgress } from "./verification.js";

/** Something that is served otherwise than the log says. */
export interface FoundDrift {
  readonly kind: DriftAnswer["kind"];
  /** Among all that is compared. */
  readonly key: string;
  /** The name that people know it by. */
  readonly subject: string;
  readonly differences: readonly Difference[];
  /** Scopes to be made afresh, step by step: the narrowest first. */
  readonly repairs: readonly (readonly Scope[])[];
}

/** What a look at everything, or at a part, came to. */
export interface VerificationResult {
  readonly position: Position;
  readonly compared: number;
  readonly drift: readonly FoundDrift[];
  readonly unsettled: readonly string[];
  /** Datasources that nobody is answered for, each with the scope that makes it whole. */
  readonly suspended: readonly { readonly name: string; readonly scope: Scope }[];
  readonly complete: boolean;
}

/** Holds one read model against the log. */
export interface Proof {
  /** `only`: of these keys; null: everything. */
  look(only: ReadonlySet<string> | null): Promise<VerificationResult>;
  /** What is looked at. */
  readonly progress: Pick<Checkpointed, "reached">;
}

const everything: Scope = { kind: "all datasources" };

type ProofInput = Omit<Comparison, "only" | "against" | "onProgress"> & {
  onProgress?(progress: VerificationProgress): void;
};

/** The proof of read models from which requests are answered; `served` has the one reader. */
export function proofOfReadModel(comparison: ProofInput, progress: Proof["progress"]): Proof {
  return {
    progress,
    look: async (only) => {
      const { position, compared, drift, unsettled, suspended, complete } = await compareReadModels({
        ...comparison,
        ...(only !== null && { only }),
      });
      return {
        ...{ position, complete, compared: sumOf(compared), unsettled: unsettled.map(keyOf) },
        drift: drift.map(({ subject, differences }) => ({
          kind: subject.kind,
          key: keyOf(subject),
          subject: keyOf(subject),
          differences,
          repairs: repairsOf(subject),
        })),
        suspended: suspended.map(({ name, datasourceId }) => ({ name, scope: { kind: "datasource", datasourceId } })),
      };
    },
  };
}

/** The proof of the permission history. */
export function proofOfHistory(
  comparison: Omit<HistoryComparison, "only" | "against" | "served">,
  served: ComparedHistory,
  progress: Proof["progress"],
): Proof {
  return {
    progress,
    look: async (only) => {
      const { position, compared, drift, suspended, isSuspended, complete } = await compareHistories({
        ...comparison,
        served,
        ...(only !== null && { only }),
      });
      return {
        ...{ position, complete, compared: sumOf(compared), unsettled: [], drift: drift.map(foundIn) },
        suspended: [
          ...suspended.map(({ name, datasourceId }) => ({
            name,
            scope: { kind: "datasource", datasourceId } as const,
          })),
          ...(isSuspended ? [{ name: formatScope(everything), scope: everything }] : []),
        ],
      };
    },
  };
}

const foundIn = (drift: HistoryDrift): FoundDrift => {
  const { subject, name, differences } = drift;
  return { kind: subject.kind, key: historyKey(subject), subject: name, differences, repairs: historyRepairs(drift) };
};

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
