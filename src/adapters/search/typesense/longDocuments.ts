import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { termShareIn } from "../../../analysis/bm25f.js";
import { bestPassagesIn, type BestPassages, type PassageQuestion } from "../../../analysis/passageScores.js";
import {
  countedLength,
  lengthNormalisation,
  mostPages,
  mostPagesInAll,
  mostRounds,
  reordered,
  settledAtOnce,
} from "../../../analysis/rankingRules.js";
import type { Candidate } from "./candidates.js";
import type { TypesenseConnection } from "./connection.js";
import type { RunnableWord } from "./queryWords.js";
import type { TextRow } from "./rows.js";

/** The engine gives no more rows to one search. */
const rowsPerSearch = 250;

/** A document whose passages are wanted. */
interface Wanted {
  readonly id: string;
  readonly position: number;
  readonly pages: number;
}

type PageRow = Pick<TextRow, "doc" | "position" | "page" | "number">;

/** The id of a page of a document's passages. */
export const pageId = (id: string, number: number): string => `${id}m${number}`;

/**
 * Scores long documents by their best passage. What all of their words score is the most that a passage can. So the
 * first ones by that are settled, those that come first then, and so on, until the first places hold none that is open.
 */
export class LongDocuments {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** For one search. */
  begin(
    words: readonly RunnableWord[],
    phrases: readonly QueryPhrase[],
    averageLength: number,
    explain?: true,
  ): SettledDocuments {
    const length = countedLength(Infinity, averageLength);
    const question: PassageQuestion = {
      words: words.map(({ ways, areDisjoint }) => ({
        ways: ways.map(({ analysed: term, analysedParts: parts, factor }) => ({
          term,
          factor,
          ...(parts && { parts }),
        })),
        areDisjoint,
      })),
      phrases: phrases.map(({ sequences }) => sequences),
      shareOf: termShareIn(length, { weight: 1, lengthNormalisation, averageLength }),
      ...(explain && { explain }),
    };
    return new SettledDocuments(question, (wanted) => this.pagesOf(wanted));
  }

  /** Pages by document, in their order; of a document that was replaced meanwhile there are none. */
  private async pagesOf(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
    const ids = wanted.flatMap(({ id, pages }) => Array.from({ length: pages }, (_, number) => pageId(id, number)));
    const searches = [];
    for (let from = 0; from < ids.length; from += rowsPerSearch)
      searches.push({
        collection: this.collection,
        q: "*",
        filter_by: `id:=[${ids.slice(from, from + rowsPerSearch).join(",")}]`,
        include_fields: "doc,position,page,number",
        per_page: rowsPerSearch,
      });
    const answers = await this.connection.search<PageRow>(searches);
    const rows = answers.flatMap(({ hits }) => hits.map(({ document }) => document));
    const found = new Map<string, readonly Uint8Array[]>();
    for (const { id, position, pages } of wanted) {
      const own = rows.filter((row) => row.doc === id && row.position === position);
      if (own.length !== pages) continue;
      const inOrder = own.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
      found.set(
        id,
        inOrder.map(({ page = "" }) => Buffer.from(page, "base64")),
      );
    }
    return found;
  }
}

/** The long documents that a search has settled. */
export class SettledDocuments {
  private readonly known = new Map<string, BestPassages>();
  private readonly asked = new Set<string>();
  private pages = 0;

  constructor(
    private readonly question: PassageQuestion,
    private readonly pagesOf: (wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, readonly Uint8Array[]>>,
  ) {}

  /** Orders documents by their scores, in which long ones count by their best passage. */
  async rank(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    let ranked = candidates.toSorted(inOrder);
    for (let round = 0; round < mostRounds && ranked.slice(0, reordered).some((one) => this.isOpen(one)); round++) {
      const wanted = this.withinBounds(ranked.slice(0, settledAtOnce));
      if (wanted.length === 0) break;
      await this.learn(wanted);
      ranked = ranked.map((candidate) => this.settled(candidate)).sort(inOrder);
    }
    return ranked;
  }

  /** Where the best passages of these documents stand, by id; none of those that are no longer what they were. */
  async placesOf(documents: readonly Wanted[]): Promise<ReadonlyMap<string, BestPassages["places"]>> {
    const wanted = documents.filter((document) => this.isOpen(document));
    if (wanted.length > 0) await this.learn(wanted.map(bounded));
    return new Map(
      documents.flatMap(({ id, position }) => {
        const best = this.known.get(keyOf({ id, position }));
        return best === undefined || best.places.length === 0 ? [] : [[id, best.places] as const];
      }),
    );
  }

  private isOpen(document: Wanted): boolean {
    return document.pages > 0 && !this.asked.has(keyOf(document));
  }

  private withinBounds(candidates: readonly Candidate[]): readonly Wanted[] {
    const wanted: Wanted[] = [];
    for (const candidate of candidates) {
      if (this.pages >= mostPagesInAll) break;
      if (!this.isOpen(candidate)) continue;
      const one = bounded(candidate);
      wanted.push(one);
      this.pages += one.pages;
    }
    return wanted;
  }

  private async learn(wanted: readonly Wanted[]): Promise<void> {
    const pages = await this.pagesOf(wanted);
    for (const document of wanted) {
      this.asked.add(keyOf(document));
      const own = pages.get(document.id);
      if (own !== undefined) this.known.set(keyOf(document), bestPassagesIn(own, this.question));
    }
  }

  private settled(candidate: Candidate): Candidate {
    const best = this.known.get(keyOf(candidate));
    return best === undefined || best.places.length === 0
      ? candidate
      : { ...candidate, score: (best.score + candidate.title) * candidate.worth, settledBy: best };
  }
}

const keyOf = ({ id, position }: { readonly id: string; readonly position: number }): string => `${id} ${position}`;
const bounded = ({ id, position, pages }: Wanted): Wanted => ({ id, position, pages: Math.min(pages, mostPages) });
const inOrder = (a: Candidate, b: Candidate): number => b.score - a.score || b.position - a.position;
