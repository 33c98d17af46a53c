import type { QueryMeaning } from "../../../../../queries/ports.js";
import type { TextRange } from "../../../../analysis/nearness.js";
import { mostByMeaning, placesInBoth, withMeaning, type PlacesInBoth } from "../../../../analysis/rankFusion.js";
import { type EngineSearch, type TypesenseConnection, TypesenseFailure } from "../connection.js";
import { candidateFields, type Candidate, type CandidateScores, type FoundRow } from "../candidates.js";
import { matchingSearch, type Plan, searchCutoffMs } from "../matching.js";
import { type VectorRow, vectorsNameOf } from "../schema.js";

/** So often further passages are looked for: where a document has many near ones, or many have what is excluded. */
const mostPages = 4;
/** The engine gives no more rows at once; no page of passages has more. */
const rowsPerSearch = 250;

/** A document that means something like the query, and that its person may be shown. */
interface NearDocument extends NearPassage {
  readonly row: FoundRow;
  /** Whether it was found by words, too. */
  readonly isByWords: boolean;
}

/** What one search has found by meaning. */
export class FoundByMeaning {
  static readonly nothing = new FoundByMeaning([], []);
  private readonly byId: ReadonlyMap<string, NearDocument>;
  private readonly aloneIds: ReadonlySet<string>;
  /** The ranking by words that was ordered last. */
  private ordered: readonly string[] = [];

  constructor(
    private readonly near: readonly NearDocument[],
    private readonly scored: readonly Candidate[],
  ) {
    this.byId = new Map(near.map((document) => [document.id, document]));
    const holdsWords = ({ id, counts }: Candidate): boolean =>
      this.byId.get(id)?.isByWords === true || counts.some((ways) => ways.some((count) => count > 0));
    this.aloneIds = new Set(scored.filter((candidate) => !holdsWords(candidate)).map(({ id }) => id));
  }

  get isNothing(): boolean {
    return this.near.length === 0;
  }

  /** How many were not found by words. */
  get added(): number {
    return this.near.filter(({ isByWords }) => !isByWords).length;
  }

  /** The best by words, with those that are near and hold some word, wherever words have them. */
  besides(best: readonly Candidate[]): readonly Candidate[] {
    if (this.isNothing) return best;
    const known = new Set(best.map(({ id }) => id));
    return [...best, ...this.scored.filter(({ id }) => !known.has(id) && !this.aloneIds.has(id))];
  }

  /** How many documents are at the beginning of the answer's order: `best`, and those that hold none of the words. */
  beginning(best: readonly Candidate[]): number {
    return best.length + this.aloneIds.size;
  }

  /** Both rankings in one, by ids. */
  order(byWords: readonly string[]): readonly string[] {
    this.ordered = byWords;
    return withMeaning(byWords, [...this.byId.keys()]);
  }

  /** Where both rankings put a document. Call it once they are in one. */
  placesOf(id: string): PlacesInBoth {
    return placesInBoth(id, this.ordered, [...this.byId.keys()]);
  }

  /** Whether a document was found by its meaning and holds none of the words. */
  isAlone(id: string): boolean {
    return this.aloneIds.has(id);
  }

  /** The near documents that were found by words, too. */
  foundByWords(): readonly string[] {
    return this.near.flatMap(({ id, isByWords }) => (isByWords ? [id] : []));
  }

  /** What is shown of a document that holds none of the words, in this version; null: it holds some. */
  passageOf(id: string, position: number): TextRange | null {
    const document = this.aloneIds.has(id) ? this.byId.get(id) : undefined;
    return document?.position === position ? document.passage : null;
  }

  /** A document that was found by its meaning; null: it was not. */
  rankedOf(id: string): Pick<Candidate, "id" | "position" | "score" | "row"> | null {
    const document = this.byId.get(id);
    return document === undefined ? null : { id, position: document.position, score: 0, row: document.row };
  }

  /** The plan by which everything that was found is counted. */
  widen(plan: Plan): Plan {
    if (this.added === 0) return plan;
    const named = `id:=[${[...this.byId.keys()].join(",")}]`;
    return { ...plan, match: plan.match === null ? named : `(${plan.match} || ${named})` };
  }
}

/** A question for what is near, asked before it is known what the words of the query find. */
export interface AskedMeaning {
  readonly meaning: QueryMeaning;
  /** null: nothing may be shown. */
  readonly filter: string | null;
  readonly first: Promise<PassagePage>;
}

/** Finds documents by what they mean. What they show is decided by their own rows, not by those of their vectors. */
export class MeaningSearch {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    private readonly passages: NearPassages,
    private readonly candidates: CandidateScores,
  ) {}

  /** Begins to ask. */
  ask(meaning: QueryMeaning, filter: string | null): AskedMeaning {
    const first = this.passages.page(meaning, filter, 0);
    // The caller that waits for the page sees the failure.
    first.catch(() => undefined);
    return { meaning, filter, first };
  }

  /**
   * The nearest documents that pass the plan's filter, have the query's phrases, and nothing excluded, best first. The
   * engine is asked again where the filter has changed since.
   */
  async found(asked: AskedMeaning, plan: Plan, averageLength: number): Promise<FoundByMeaning> {
    const again = plan.filter === asked.filter ? asked : this.ask(asked.meaning, plan.filter);
    const near: NearDocument[] = [];
    const seen = new Set<string>();
    for (let page = 0; page < mostPages && near.length < mostByMeaning; page += 1) {
      const { passages, isLast } = await (page === 0
        ? again.first
        : this.passages.page(again.meaning, again.filter, page));
      const documents = firstOfEach(passages, seen);
      const atOnce = isNarrowed(plan) ? rowsPerSearch : mostByMeaning;
      for (let from = 0; from < documents.length && near.length < mostByMeaning; from += atOnce)
        near.push(...(await this.allowed(documents.slice(from, from + atOnce), plan)));
      if (isLast) break;
    }
    const documents = near.slice(0, mostByMeaning);
    const scored = await this.candidates.score(
      documents.map(({ row }) => row),
      plan,
      averageLength,
    );
    return new FoundByMeaning(documents, scored);
  }

  private async allowed(passages: readonly NearPassage[], plan: Plan): Promise<readonly NearDocument[]> {
    if (passages.length === 0) return [];
    if (plan.hasPhrases && plan.match === null) return [];
    const among = `id:=[${passages.map(({ id }) => id).join(",")}]`;
    const answers = await this.connection.search<FoundRow>(this.searchesFor(plan, among));
    const [allowed, found] = answers.map(({ hits }) => new Map(hits.map(({ document }) => [document.id, document])));
    return passages.flatMap((passage) => {
      const row = allowed?.get(passage.id);
      if (row?.position !== passage.position) return [];
      return [{ ...passage, row, isByWords: plan.hasPhrases || found?.has(passage.id) === true }];
    });
  }

  /**
   * One search for the documents that the query allows, and one for those that it finds by words, no matter who may see
   * them.
   */
  private searchesFor(plan: Plan, among: string): readonly EngineSearch[] {
    const everywhere = { ...plan, filter: among };
    const allowed = {
      ...matchingSearch(this.collection, { ...plan, match: plan.hasPhrases ? `${plan.match} && ${among}` : among }),
      ...{ include_fields: candidateFields, per_page: rowsPerSearch },
    };
    if (plan.hasPhrases || plan.match === null) return [allowed];
    return [allowed, { ...matchingSearch(this.collection, everywhere), include_fields: "id", per_page: rowsPerSearch }];
  }
}

/** Whether documents that the person may see are left out by phrases or exclusions: of others nearly all are found. */
const isNarrowed = ({ q, hasPhrases }: Plan): boolean => hasPhrases || q !== "*";

/** The nearest passage of each document that was not seen yet. */
function firstOfEach(passages: readonly NearPassage[], seen: Set<string>): readonly NearPassage[] {
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

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
interface NearPassage {
  readonly id: string;
  /** The position of the document's version that the passage is of. */
  readonly position: number;
  readonly passage: TextRange;
}

interface PassagePage {
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
