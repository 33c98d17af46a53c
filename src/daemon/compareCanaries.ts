import type { EventSource } from "../../projections/ports.js";
import type { Checkpointed, Readers } from "../../queries/ports.js";
import { bindQueries, type Queries } from "../../queries/queries.js";
import type { ComparisonSummary } from "../events/projection.js";
import type { Canaries } from "../operations/verify/canaries.js";
import { ofCanary, totalOf } from "../operations/verify/comparedDifferences.js";

/** What recent questions are asked of: what is served, and the same with another version in one place. */
type UseBeside = <Value>(
  version: number,
  use: (live: AskedVersion, next: AskedVersion) => Promise<Value>,
) => Promise<Value>;

/** Everything that questions are asked of, and the one reader that differs. */
interface AskedVersion {
  readonly readers: Readers;
  readonly reader: Checkpointed;
}

const kind = "recent questions";

/**
 * Where answers differ, both versions are waited for to come as far as the log before they are asked again. After so
 * long they are asked anyway.
 */
const patienceMs = 2_000;

/**
 * Asks a version that is not served yet what people asked this process lately, and adds to the comparison how its
 * answers differ from those of the served version.
 */
export async function compareCanaries(
  version: number,
  comparison: ComparisonSummary,
  { canaries, source, use }: { readonly canaries: Canaries; readonly source: EventSource; readonly use: UseBeside },
): Promise<ComparisonSummary> {
  const { asked, differences } = await use(version, (live, next) => {
    const waitUntilProjected = async (): Promise<unknown> => {
      const head = await source.head();
      return Promise.all([live, next].map(({ reader }) => reader.reached(head, patienceMs)));
    };
    return canaries.compare(queriesOf(next), queriesOf(live), waitUntilProjected);
  });
  if (asked === 0) return comparison;
  const all = [...comparison.kinds, { kind, compared: asked, differences: differences.length }];
  return totalOf({ ...comparison, kinds: all }, [
    ...(comparison.examples ?? []),
    ...differences.map((difference) => ofCanary(kind, difference)),
  ]);
}

const queriesOf = ({ readers }: AskedVersion): Queries => bindQueries((query) => query(readers));
