import type { EventSource } from "../../../projections/ports.js";
import { createQueries } from "../../../queries/createQueries.js";
import type { Projected } from "../../../queries/ports.js";
import type { Queries } from "../../../queries/queries.js";
import type { Canaries } from "../../../queries/verification/canaries.js";
import type { ComparisonSummary } from "../../events/projection.js";
import type { ReaderByName, ServedReadModelName } from "../readerGeneration.js";
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

/** Both versions are to be as of the same moment when they are asked; after so long they are asked anyway. */
const patienceMs = 2_000;

/** Asks the questions that people of this process asked lately of a version that is not served yet, and adds what came of it. */
export async function compareCanaries(name: ServedReadModelName, version: number, comparison: ComparisonSummary, options: CanaryComparison): Promise<ComparisonSummary> {
  const { canaries, served, open, source, settings } = options;
  const next = await open(name, version);
  try {
    const { asked, differences } = await served.within(async (generation) => {
      const readers = generation.readers();
      const live = { reader: readers[name], queries: queriesOf(readers, settings) };
      const other = { reader: next.reader, queries: queriesOf({ ...readers, [name]: next.reader }, settings) };
      const asOfNow = (queries: Queries) => atSamePosition(queries, source, [live.reader, other.reader]);
      return canaries.compare(asOfNow(other.queries), asOfNow(live.queries));
    });
    if (asked === 0) return comparison;
    const kinds = [...comparison.kinds, { kind, compared: asked, differences: differences.length }];
    return totalOf({ ...comparison, kinds }, [...(comparison.examples ?? []), ...differences.map((difference) => ofCanary(kind, difference))]);
  } finally {
    await next.close();
  }
}

const queriesOf = ({ groupClosure: access, ...readers }: ReaderByName, settings: CanaryComparison["settings"]): Queries => createQueries({ ...readers, access, ...settings });

function atSamePosition(queries: Queries, source: EventSource, readers: readonly Projected[]): Pick<Queries, "search" | "checkAccess"> {
  const settled = async (): Promise<unknown> => {
    const head = await source.head();
    return Promise.all(readers.map((reader) => reader.reached(head, patienceMs)));
  };
  return {
    search: async (question) => {
      await settled();
      return queries.search(question);
    },
    checkAccess: async (question) => {
      await settled();
      return queries.checkAccess(question);
    },
  };
}
