import type { QueryMeaning } from "../../../../../queries/ports.js";
import type { TextRange } from "../../../../analysis/nearness.js";
import { TypesenseFailure, type TypesenseConnection } from "../connection.js";
import { searchCutoffMs } from "../matching.js";
import type { VectorRow } from "../rows.js";
import { vectorsNameOf } from "../schema.js";

/**
 * How many passages the first page has, and further ones, of which the engine gives no more. It reads each row whole,
 * its vector too, so the first page is what is mostly needed.
 */
const firstPage = 100;
const furtherPage = 250;
/**
 * Where the filter lets fewer passages through, all of those are compared, and passages that the person cannot see have
 * no influence on what is found. Where it lets more through, the engine walks its graph.
 */
const flatSearchCutoff = 20_000;
/** How much of the graph is looked at: twice what the largest page asks for. */
const breadth = 2 * furtherPage;
const decimals = 7;

/** A document by a passage of it that is near. */
export interface NearPassage {
  readonly id: string;
  /** The position of the document's version that the passage is of. */
  readonly position: number;
  readonly passage: TextRange;
}

export interface PassagePage {
  readonly passages: readonly NearPassage[];
  /** There are no further ones. */
  readonly isLast: boolean;
}

const nothing: PassagePage = { passages: [], isLast: true };

/** Finds the passages that are nearest to a query, among those that a filter lets through. */
export class NearPassages {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly namespace: string,
  ) {}

  /**
   * Passages from the least similarity on, best first; among equal ones the newer document's. There are none where the
   * filter lets nothing through (null), where there are no vectors of that model and length, and where the engine does
   * not answer: no search by words fails because of them. Pages begin with 0, and have 250 passages at most.
   */
  async page(meaning: QueryMeaning, filter: string | null, page: number): Promise<PassagePage> {
    if (filter === null) return nothing;
    const offset = page === 0 ? 0 : firstPage + (page - 1) * furtherPage;
    const limit = page === 0 ? firstPage : furtherPage;
    const { model, vector, leastSimilarity } = meaning;
    try {
      const [answer] = await this.connection.search<Pick<VectorRow, "doc" | "position" | "start" | "end">>([
        {
          collection: vectorsNameOf(this.namespace, model, vector.length),
          q: "*",
          vector_query: vectorQuery(vector, leastSimilarity, offset + limit),
          filter_by: filter,
          sort_by: "_vector_distance:asc,position:desc",
          include_fields: "doc,position,start,end",
          ...{ offset, limit },
          search_cutoff_ms: searchCutoffMs,
        },
      ]);
      const hits = answer?.hits ?? [];
      return {
        passages: hits.map(({ document: { doc: id, position, start, end } }) => ({
          ...{ id, position, passage: { start, end } },
        })),
        isLast: hits.length < limit,
      };
    } catch (error) {
      if (error instanceof TypesenseFailure) return nothing;
      throw error;
    }
  }
}

function vectorQuery(vector: Float32Array, leastSimilarity: number, most: number): string {
  // Fixed: the engine takes no number that is too small for its own.
  const numbers = Array.from(vector, (value) => value.toFixed(decimals)).join(",");
  const parameters = [
    `k: ${most}`,
    `ef: ${Math.max(breadth, most)}`,
    `flat_search_cutoff: ${flatSearchCutoff}`,
    `distance_threshold: ${(1 - leastSimilarity).toFixed(decimals)}`,
  ];
  return `v:([${numbers}], ${parameters.join(", ")})`;
}
