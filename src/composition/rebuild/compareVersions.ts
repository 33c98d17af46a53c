import type { EventSource } from "../../../projections/ports.js";
import { compareReadModels, type ComparisonReport } from "../../../queries/verification/compareReadModels.js";
import type { ComparedReaders } from "../../../queries/verification/ports.js";
import type { ComparisonSummary, ReadModelName } from "../../events/projection.js";
import type { Position } from "../../shared/position.js";
import { PrincipalTokens } from "../../shared/principalTokens.js";
import type { ProjectorConfig } from "../projectors.js";
import type { ReaderByName } from "../readerGeneration.js";
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

/** Compares two versions as those see them who ask, both as of one position; what changes meanwhile is looked at again. */
export async function compareVersions(config: ProjectorConfig, { name, live, next, depth, source, signal, rest }: VersionComparison): Promise<ComparisonSummary> {
  const open = createReaderOpener(config, source);
  const before = await open(name, live);
  try {
    const after = await open(name, next);
    try {
      const head = await source.head();
      if (!(await before.reader.reached(head, patienceMs))) return standstillOf(await before.reader.position(), depth);
      const sample = depth === "full" ? undefined : { part: spotPart, seed: `version ${next}` };
      const tokens = new PrincipalTokens(config.namespace);
      const report = await compareReadModels({ log: source, tokens, served: comparedReaders(name, after.reader), against: comparedReaders(name, before.reader), ...(sample && { sample }), rest, signal });
      return summaryOf(report, depth);
    } finally {
      await after.close();
    }
  } finally {
    await before.close();
  }
}

/** As comparisons name it. */
export function comparedReaders(name: ReadModelName, reader: ReaderByName[ReadModelName]): ComparedReaders {
  return { [name === "groupClosure" ? "access" : name]: reader };
}

/** One that is paused, or whose engine does not take its writes, cannot be compared with: somebody has to decide without. */
const standstillOf = (position: Position, depth: ComparisonSummary["depth"]): ComparisonSummary =>
  totalOf({ depth, position: position.toString(), kinds: [{ kind: "served version standing still", compared: 1, differences: 1 }] });

/** Numbers alone. A datasource whose people some version answers nobody for could not be compared: that is a difference. */
function summaryOf({ position, compared: counts, drift, unsettled, suspended }: ComparisonReport, depth: ComparisonSummary["depth"]): ComparisonSummary {
  const kinds = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({
      kind: `${kind}s`.replace("persons", "people"),
      compared: count,
      differences: drift.filter(({ subject }) => subject.kind === kind).length + unsettled.filter((subject) => subject.kind === kind).length,
    }));
  if (suspended.length > 0) kinds.push({ kind: "suspended datasources", compared: suspended.length, differences: suspended.length });
  return totalOf({ depth, position: position.toString(), kinds });
}

/** With the sums over all kinds. */
export const totalOf = (parts: Pick<ComparisonSummary, "depth" | "position" | "kinds">): ComparisonSummary => ({
  ...parts,
  compared: parts.kinds.reduce((sum, { compared: count }) => sum + count, 0),
  differences: parts.kinds.reduce((sum, { differences }) => sum + differences, 0),
});
