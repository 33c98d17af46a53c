import type { EventSource } from "../../../projections/ports.js";
import type { Checkpointed } from "../../../queries/ports.js";
import { bindQueries, type Queries } from "../../../queries/queries.js";
import type { Canaries } from "../../operations/verify/canaries.js";
import type { ComparisonSummary } from "../../events/projection.js";
import type { ReaderByName, ServedReadModelName } from "../readerSet.js";
import type { OpenReader } from "../readerOpener.js";
import type { ServedQueries } from "../servedQueries.js";
import { ofCanary, totalOf } from "./comparedDifferences.js";

export interface CanaryComparison {
  readonly canaries: Canaries;
  readonly served: ServedQueries;
  readonly open: OpenReader;
  readonly source: EventSource;
  readonly settings: { readonly productName: string; readonly consistencyTimeoutMs: number };
}

const kind = "recent questions";

/**
 * Where they answer differently, both versions are to be as of the same moment before they are asked again; after so
 * long they are asked anyway.
 */
const patienceMs = 2_000;

/**
 * Asks the questions that people of this process asked lately of a version that is not served yet, and adds what came
 * of it.
 */
export async function compareCanaries(
  name: ServedReadModelName,
  version: number,
  comparison: ComparisonSummary,
  options: CanaryComparison,
): Promise<ComparisonSummary> {
  const { canaries, served, open, source, settings } = options;
  const next = await open(name, version);
  try {
    const { asked, differences } = await served.within(async (incarnation) => {
      const readers = incarnation.readers();
      const live = { reader: readers[name], queries: queriesOf(readers, settings) };
      const other = { reader: next.reader, queries: queriesOf({ ...readers, [name]: next.reader }, settings) };
      const settle = async (): Promise<unknown> => {
        const head = await source.head();
        return Promise.all([live.reader, other.reader].map((reader: Checkpointed) => reader.reached(head, patienceMs)));
      };
      return canaries.compare(other.queries, live.queries, settle);
    });
    if (asked === 0) return comparison;
    const all = [...comparison.kinds, { kind, compared: asked, differences: differences.length }];
    return totalOf({ ...comparison, kinds: all }, [
      ...(comparison.examples ?? []),
      ...differences.map((difference) => ofCanary(kind, difference)),
    ]);
  } finally {
    await next.close();
  }
}

const queriesOf = (
  { groupClosure: access, ...readers }: ReaderByName,
  settings: CanaryComparison["settings"],
): Queries => bindQueries((query) => query({ ...readers, access, ...settings }));
