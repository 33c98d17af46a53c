import type { EventSource } from "../../../projections/ports.js";
import { compareReadModels, ReadersBehind, type ComparisonReport } from "../../operations/verify/compareReadModels.js";
import { compareCounts, type CountReport } from "../../operations/verify/compareCounts.js";
import { compareHistories } from "../../operations/verify/history/compareHistories.js";
import type { HistoryReport } from "../../operations/verify/history/comparison.js";
import type { HistorySubjectKind } from "../../operations/verify/history/subjects.js";
import type { ComparedReaders } from "../../operations/verify/ports.js";
import type { Sample } from "../../operations/verify/share.js";
import type { SubjectKind } from "../../operations/verify/subjects.js";
import type { ComparedDifference, ComparisonSummary, ReadModelName } from "../../events/projection.js";
import type { Position } from "../../shared/position.js";
import { PrincipalTokens } from "../../shared/principalTokens.js";
import { openComparedHistory } from "../comparedHistory.js";
import type { ProjectorConfig } from "../projectors.js";
import type { ReaderByName, ServedReadModelName } from "../readerSet.js";
import {
  differing,
  historyKindOf,
  kindOf,
  ofDrift,
  ofHistoryDrift,
  ofUnsettled,
  totalOf,
} from "./comparedDifferences.js";
import { createReaderOpener } from "../readerOpener.js";

export interface VersionComparison {
  readonly name: ReadModelName;
  /** The version that is served, and the one that is to take its place. */
  readonly live: number;
  readonly next: number;
  /** Everything, or a part by chance. */
  readonly depth: ComparisonSummary["depth"];
  readonly source: EventSource;
  readonly signal: AbortSignal;
  rest(): Promise<void>;
}

/** So large a part of everything is looked at where not all of it is. */
const spotPart = 0.1;

/** How long the version that is served may take to come as far as the log: longer than any batch does. */
const patienceMs = 30_000;

/**
 * Compares two versions as those see them who ask, both as of one position; what changes meanwhile is looked at again.
 * And counts.
 */
export function compareVersions(config: ProjectorConfig, comparison: VersionComparison): Promise<ComparisonSummary> {
  const { name } = comparison;
  return name === "permissionHistory"
    ? compareHistoryVersions(config, comparison)
    : compareServedVersions(config, { ...comparison, name });
}

type ServedComparison = VersionComparison & { readonly name: ServedReadModelName };

async function compareServedVersions(
  config: ProjectorConfig,
  comparison: ServedComparison,
): Promise<ComparisonSummary> {
  const { name, live, next, depth, source, signal, rest } = comparison;
  const open = createReaderOpener(config, source);
  const before = await open(name, live);
  try {
    const after = await open(name, next);
    try {
      const head = await source.head();
      if (!(await before.reader.reached(head, patienceMs)))
        return standstillOf(live, await before.reader.position(), depth);
      const sample = sampleOf(depth, next);
      const tokens = new PrincipalTokens(config.namespace);
      const report = await compareReadModels({
        log: source,
        tokens,
        served: comparedReaders(name, after.reader),
        against: comparedReaders(name, before.reader),
        ...(sample && { sample }),
        rest,
        signal,
      });
      const counts = await compareCounts({
        projection: name,
        live: before,
        next: after,
        head: () => source.head(),
        signal,
      });
      return summaryOf(report, counts, depth);
    } finally {
      await after.close();
    }
  } finally {
    await before.close();
  }
}

/** The history counts nothing by itself: what no event has named is looked for among what it tells. */
async function compareHistoryVersions(
  { dataDir }: ProjectorConfig,
  { live, next, depth, source, signal, rest }: VersionComparison,
): Promise<ComparisonSummary> {
  const before = openComparedHistory(dataDir, live, source);
  const after = openComparedHistory(dataDir, next, source);
  try {
    const sample = sampleOf(depth, next);
    return historySummaryOf(
      await compareHistories({
        log: source,
        served: after,
        against: before,
        ...(sample && { sample }),
        rest,
        signal,
        limits: { reachMs: patienceMs },
      }),
      depth,
    );
  } catch (error) {
    if (!(error instanceof ReadersBehind)) throw error;
    return standstillOf(live, await before.clock.position(), depth);
  } finally {
    before.close();
    after.close();
  }
}

const sampleOf = (depth: ComparisonSummary["depth"], next: number): Sample | undefined =>
  depth === "full" ? undefined : { part: spotPart, seed: `version ${next}` };

/** As comparisons name it. */
export function comparedReaders(name: ServedReadModelName, reader: ReaderByName[ServedReadModelName]): ComparedReaders {
  return { [name === "groupClosure" ? "access" : name]: reader };
}

/**
 * One that is paused, or whose engine does not take its writes, cannot be compared with: somebody has to decide
 * without.
 */
function standstillOf(live: number, position: Position, depth: ComparisonSummary["depth"]): ComparisonSummary {
  const kind = "served version standing still";
  const difference = differing(kind, `version ${live}`, [{ aspect: "position", live: position.toString() }]);
  return totalOf({ depth, position: position.toString(), kinds: [{ kind, compared: 1, differences: 1 }] }, [
    difference,
  ]);
}

/** A datasource whose people some version answers nobody for could not be compared: that is a difference. */
function summaryOf(
  { position, compared: counts, drift, unsettled, suspended }: ComparisonReport,
  counted: CountReport,
  depth: ComparisonSummary["depth"],
): ComparisonSummary {
  const differences = [
    ...drift.map(ofDrift),
    ...unsettled.map(ofUnsettled),
    ...suspended.map(({ name }) =>
      differing(kinds.suspended, name, [{ aspect: "answers nobody, so its people were not compared" }]),
    ),
    ...counted.differences.map(({ what, live, next }) =>
      differing(kinds.counts, what, [{ aspect: "number", live: String(live), next: String(next) }]),
    ),
  ];
  const compared: readonly (readonly [string, number])[] = [
    ...Object.entries(counts).map(([kind, count]) => [kindOf(kind as SubjectKind), count] as const),
    [kinds.suspended, suspended.length],
    [kinds.counts, counted.compared.length],
  ];
  return summed({ depth, position: position.toString() }, compared, differences);
}

function historySummaryOf(
  { position, compared: counts, drift, suspended }: HistoryReport,
  depth: ComparisonSummary["depth"],
): ComparisonSummary {
  const differences = [
    ...drift.map(ofHistoryDrift),
    ...suspended.map(({ name }) =>
      differing(kinds.suspended, name, [{ aspect: "tells nothing, so it was not compared" }]),
    ),
  ];
  const compared = [
    ...Object.entries(counts).map(([kind, count]) => [historyKindOf(kind as HistorySubjectKind), count] as const),
    [kinds.suspended, suspended.length] as const,
  ];
  return summed({ depth, position: position.toString() }, compared, differences);
}

function summed(
  of: Pick<ComparisonSummary, "depth" | "position">,
  compared: readonly (readonly [string, number])[],
  differences: readonly ComparedDifference[],
): ComparisonSummary {
  const counts = compared
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({
      kind,
      compared: count,
      differences: differences.filter((difference) => difference.kind === kind).length,
    }));
  return totalOf({ ...of, kinds: counts }, differences);
}

const kinds = { suspended: "suspended datasources", counts: "counts" };
