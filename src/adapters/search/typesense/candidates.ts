import { bm25f, type FieldParameters } from "../../../analysis/bm25f.js";
import type { BestPassages } from "../../../analysis/passageScores.js";
import type { Language } from "../../../shared/texts.js";
import { countedLength, lengthNormalisation } from "../../../analysis/rankingRules.js";
import { languageWorth } from "../../../analysis/readersLanguage.js";
import { titleMatchWorth, type TitleMatch } from "../../../analysis/titleMatches.js";
import type { EngineSearch, TypesenseConnection } from "./connection.js";
import { frequencyOf } from "./frequencies.js";
import type { RunnableWord, Way } from "./queryWords.js";
import type { DocumentRow } from "./rows.js";
import { titleMatchIn, type SoughtTitle } from "./titleWords.js";

export const candidateFields = "id,position,t,len,lang,tf,cut,pages";

export type FoundRow = Pick<DocumentRow, "id" | "position" | "t" | "len" | "lang" | "tf" | "cut" | "pages">;

/** A document that the engine found, with our own score. */
export interface Candidate {
  readonly id: string;
  readonly position: number;
  readonly score: number;
  /** What its score counts for the reader, by its language. */
  readonly worth: number;
  /** What its title adds to the score, before that counts for the reader. */
  readonly title: number;
  /** How many pages its passages have; 0 where it is scored as a whole. */
  readonly pages: number;
  /** How often it holds each way of each word, in their order. */
  readonly counts: readonly (readonly number[])[];
  /** How many terms it was scored as. */
  readonly length: number;
  /** The words of its title, as the engine holds them. */
  readonly titleWords: string;
  /** The passages by whose best one it is scored; left out: as a whole. */
  readonly settledBy?: BestPassages;
}

/** By what candidates are scored. */
export interface ScoringRules {
  readonly averageLength: number;
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  /** null: none. */
  readonly title: SoughtTitle | null;
}

/** Scores what the engine found, by BM25 over the stored frequencies. */
export class CandidateScores {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  async score(
    rows: readonly FoundRow[],
    words: readonly RunnableWord[],
    { averageLength, readers, title: sought }: ScoringRules,
  ): Promise<readonly Candidate[]> {
    const beyond = await this.beyondStored(rows, words);
    const parameters = parametersFor(averageLength);
    const counted = words.map(({ ways }) => ways.map(countsIn));
    const scores = words.map((word) => scoreOf(word, parameters));
    return rows.map(({ id, position, t, len, lang, tf, cut, pages }) => {
      const rare = cut ? beyond.get(id) : undefined;
      const counts = counted.map((ways) => ways.map((countIn) => countIn(tf, rare)));
      const length = pages > 0 ? countedLength(Infinity, averageLength) : len;
      const score = scores.reduce((sum, scored, index) => sum + scored(counts[index] as readonly number[], length), 0);
      const worth = languageWorth(lang === "" ? null : lang, readers);
      const title = sought === null ? 0 : titleScore(sought, titleMatchIn(sought, t), { length, parameters });
      return { id, position, score: (score + title) * worth, worth, title, counts, pages, length, titleWords: t };
    });
  }

  /**
   * For long documents, only the most frequent terms are stored with their frequency. The engine knows which of the
   * documents hold the other words, and which do so repeatedly.
   */
  private async beyondStored(
    rows: readonly FoundRow[],
    words: readonly RunnableWord[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    const found = new Map<string, Map<string, number>>();
    const long = rows.filter(({ cut }) => cut);
    if (long.length === 0) return found;
    const terms = [
      ...new Set(words.flatMap(({ ways }) => ways.flatMap(({ term, parts }) => parts?.flat() ?? [term]))),
    ].filter((term) => long.some(({ tf }) => frequencyOf(term)(tf) === 0));
    const ids = `id:=[${long.map(({ id }) => id).join(",")}]`;
    const asked = terms.flatMap((term) => [
      { term, field: "s", times: 1 },
      { term, field: "s2", times: 2 },
    ]);
    const answers = await this.connection.search<{ readonly id: string }>(
      asked.map(({ term, field }): EngineSearch => ({
        collection: this.collection,
        q: "*",
        filter_by: `${ids} && ${field}:${term}`,
        include_fields: "id",
        per_page: long.length,
      })),
    );
    answers.forEach(({ hits }, index) => {
      const { term, times } = asked[index] as (typeof asked)[number];
      for (const { document } of hits)
        found.set(document.id, (found.get(document.id) ?? new Map<string, number>()).set(term, times));
    });
    return found;
  }
}

/** How one field is weighed: title and text are counted together. */
export const parametersFor = (averageLength: number): readonly FieldParameters[] => [
  { weight: 1, lengthNormalisation, averageLength },
];

/** How many terms a document counts as, and by which parameters. */
interface TitleRules {
  readonly length: number;
  readonly parameters: readonly FieldParameters[];
}

const titleScore = (sought: SoughtTitle, match: TitleMatch | null, rules: TitleRules): number =>
  titleParts(sought, match, rules).reduce((sum, { score }) => sum + score, 0);

/** What a title adds: it counts as words do that stand there once. One that is the query also begins with it. */
export function titleParts(
  { weight }: SoughtTitle,
  match: TitleMatch | null,
  { length, parameters }: TitleRules,
): readonly { readonly match: TitleMatch; readonly score: number }[] {
  if (match === null) return [];
  return (match === "is" ? (["begins", "is"] as const) : [match]).map((one) => ({
    match: one,
    score: bm25f([titleMatchWorth[one] * weight], [{ counts: [1], length }], parameters),
  }));
}

/** How often a document holds a word in this way; a name as often as the part that it holds least. */
function countsIn({ term, parts }: Way): (tf: string, rare: ReadonlyMap<string, number> | undefined) => number {
  const counting = (one: string) => {
    const frequencyIn = frequencyOf(one);
    return (tf: string, rare: ReadonlyMap<string, number> | undefined): number =>
      frequencyIn(tf) || (rare?.get(one) ?? 0);
  };
  if (parts === undefined) return counting(term);
  const counted = parts.map((terms) => terms.map(counting));
  return (tf, rare) => Math.min(...counted.map((terms) => Math.max(0, ...terms.map((countIn) => countIn(tf, rare)))));
}

/**
 * What a word adds by how often a document holds each of its ways. Ways of which a document can hold only one are added
 * up; of others the best counts.
 */
export function scoreOf(
  { ways, areDisjoint }: Pick<RunnableWord, "ways" | "areDisjoint">,
  parameters: readonly FieldParameters[],
): (counts: readonly number[], length: number) => number {
  const factors = ways.map(({ factor }) => factor);
  if (areDisjoint) return (counts, length) => bm25f(factors, [{ counts, length }], parameters);
  return (counts, length) =>
    factors.reduce(
      (best, factor, index) => Math.max(best, bm25f([factor], [{ counts: [counts[index] ?? 0], length }], parameters)),
      0,
    );
}
