import type { EngineSearch, TypesenseConnection } from "./connection.js";
import { longDocument } from "./frequencies.js";
import { holdingPhrases, holdsPhrase, searchCutoffMs, type SoughtPhrase } from "./matching.js";
import type { DocumentRow } from "./rows.js";

/** So many documents that hold the words of phrases are looked into, the newest: of long ones fewer. */
const pages = 4;
const rowsPerPage = 250;
const mostLong = 64;

/**
 * Finds documents by phrases. The engine finds those that hold all words; whether these stand together, in whatever
 * form, is told by the words of each.
 */
export class PhraseSearch {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** The ids of documents that pass the filter and hold all phrases; `q`: what they may not hold. */
  async holding(
    phrases: readonly SoughtPhrase[],
    q: string,
    filter: string,
  ): Promise<{ readonly ids: readonly string[]; readonly isPartial: boolean }> {
    const search: EngineSearch = {
      ...{ collection: this.collection, query_by: "w", prefix: false, num_typos: 0 },
      ...{ sort_by: "position:desc", include_fields: "id,w", search_cutoff_ms: searchCutoffMs },
      ...{ q, filter_by: `${filter} && ${holdingPhrases(phrases)}` },
    };
    const without = q === "*" ? `-${longDocument}` : `${q} -${longDocument}`;
    const short = Array.from({ length: pages }, (_unused, page) => ({
      ...{ ...search, q: without, offset: page * rowsPerPage, limit: rowsPerPage },
    }));
    const long = { ...search, filter_by: `${search.filter_by} && w:${longDocument}`, limit: mostLong };
    const [first, ofLong] = await this.connection.search<Pick<DocumentRow, "id" | "w">>([
      short[0] as EngineSearch,
      long,
    ]);
    const found = first?.found ?? 0;
    const others = short.filter((_search, page) => page > 0 && page * rowsPerPage < found);
    const answers = [first, ...(await this.connection.search<Pick<DocumentRow, "id" | "w">>(others)), ofLong];
    const rows = answers.flatMap((answer) => answer?.hits.map(({ document }) => document) ?? []);
    const holds = ({ w }: Pick<DocumentRow, "w">): boolean => {
      const words = w.split(" ");
      return phrases.every((phrase) => holdsPhrase(words, phrase));
    };
    return {
      ids: rows.filter(holds).map(({ id }) => id),
      isPartial:
        found > pages * rowsPerPage ||
        (ofLong?.found ?? 0) > mostLong ||
        answers.some((answer) => answer?.search_cutoff === true),
    };
  }
}
