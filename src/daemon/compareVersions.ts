import type { EventSource } from "../../projections/ports.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { ComparedDifference, ComparisonSummary } from "../events/projection.js";
import { compareCounts } from "../operations/verify/compareCounts.js";
import { differing, totalOf } from "../operations/verify/comparedDifferences.js";
import type { ComparedVersions, VerificationInput } from "../operations/verify/provable.js";
import type { Sample } from "../operations/verify/sampling.js";
import type { Position } from "../shared/position.js";
import type { PrincipalTokens } from "../shared/principalTokens.js";
import type { OpenedReader } from "./ports.js";
import type { ReadModel } from "./readModel.js";

interface VersionComparison {
  /** The version that is served, and the one that is to take its place. */
  readonly live: number;
  readonly next: number;
  /** Everything, or a part by chance. */
  readonly depth: ComparisonSummary["depth"];
  readonly source: EventSource;
  readonly tokens: PrincipalTokens;
  readonly signal: AbortSignal;
  rest(): Promise<void>;
}

/** The part that is compared where not everything is. */
const spotPart = 0.1;
/**
 * How long the version that is served may stand still before it comes as far as the log: longer than any batch takes.
 */
const patienceMs = 30_000;
const countsKind = "counts";

/**
 * Compares what two versions answer, both as of one position, and how much they hold. What changes meanwhile is looked
 * at again. Where there is no proof of a read model, how much they hold is all.
 */
export async function compareVersions(readModel: ReadModel, comparison: VersionComparison): Promise<ComparisonSummary> {
  const { live, next } = comparison;
  const before = await readModel.openReader(live);
  try {
    const after = await readModel.openReader(next);
    try {
      return await compareOpened(readModel, comparison, before, after);
    } finally {
      await after.close();
    }
  } finally {
    await before.close();
  }
}

async function compareOpened(
  { name, provable }: ReadModel,
  { live, next, depth, source, tokens, signal, rest }: VersionComparison,
  before: OpenedReader<Checkpointed>,
  after: OpenedReader<Checkpointed>,
): Promise<ComparisonSummary> {
  const sample: Sample | undefined = depth === "full" ? undefined : { part: spotPart, seed: `version ${next}` };
  if (!(await comesTo(before.reader, await source.head())))
    return standstillOf(live, await before.reader.position(), depth);
  const look: VerificationInput = { log: source, tokens, ...(sample && { sample }), rest, signal };
  const { position, compared, differences } =
    provable === null ? await nothingAnswered(after.reader) : await provable.compare(look, before.reader, after.reader);
  const counts = await compareCounts({
    projection: name,
    live: before,
    next: after,
    head: () => source.head(),
    signal,
  });
  return summed(
    { depth, position: position.toString() },
    [...compared, [countsKind, counts.compared.length]],
    [
      ...differences,
      ...counts.differences.map(({ what, ...number }) =>
        differing(countsKind, what, [{ aspect: "number", live: String(number.live), next: String(number.next) }]),
      ),
    ],
  );
}

const nothingAnswered = async (next: Checkpointed): Promise<ComparedVersions> => ({
  ...{ position: await next.position(), compared: [], differences: [] },
});

/** Waits until the reader has come to the position; false where it stands still. */
async function comesTo(reader: Checkpointed, position: Position): Promise<boolean> {
  for (let before = await reader.position(); !(await reader.reached(position, patienceMs));) {
    const now = await reader.position();
    if (now === before) return false;
    before = now;
  }
  return true;
}

/**
 * What takes the place of a comparison where the served version is paused, or its engine takes no writes: a difference,
 * so that somebody has to decide.
 */
function standstillOf(live: number, position: Position, depth: ComparisonSummary["depth"]): ComparisonSummary {
  const kind = "served version standing still";
  const difference = differing(kind, `version ${live}`, [{ aspect: "position", live: position.toString() }]);
  return totalOf({ depth, position: position.toString(), kinds: [{ kind, compared: 1, differences: 1 }] }, [
    difference,
  ]);
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
