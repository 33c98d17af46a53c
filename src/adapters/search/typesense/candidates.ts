import { bm25f, type FieldParameters } from "../../../analysis/bm25f.js";
import { languageWorth, countedLength, lengthNormalisation } from "../../../analysis/rankingRules.js";
import { titleMatchWorth, type TitleMatch } from "../../../analysis/titleMatches.js";
import type { Candidate as Examined } from "../../../analysis/nearness.js";
import type { BestPassages } from "../../../analysis/passageScores.js";
import type { TypesenseConnection } from "./connection.js";
import { forEachFrequency, wordCode } from "./frequencies.js";
import type { EngineWay, EngineWord, Plan } from "./matching.js";
import type { DocumentRow, StoredHitSummary } from "./schema.js";
import { titleMatchIn, type SoughtTitle } from "./titleWords.js";

export const candidateFields = "id,position,t,len,lang,tf,cut,pages,page,parts,text,card,cls,ds";

export type FoundRow = Pick<
  DocumentRow,
  "id" | "position" | "t" | "len" | "lang" | "tf" | "cut" | "pages" | "page" | "parts" | "text" | "card" | "cls" | "ds"
>;

/** A document that the engine found, with our own score. */
export interface Candidate {
  readonly id: string;
  readonly position: number;
  readonly row: FoundRow;
  readonly score: number;
  /** What its score counts for the reader, by its language. */
  readonly worth: number;
  /** What its title adds to the score, before that counts for the reader. */
  readonly title: number;
  /** How often it holds each way of each word, in their order. */
  readonly counts: readonly (readonly number[])[];
  /** How many terms it was scored as. */
  readonly length: number;
  /** The passages by whose best one it is scored; left out: as a whole. */
  readonly settledBy?: BestPassages;
}

/** A document at its place in the ranking; where it was scored, with what it was scored by. */
export interface Ranked extends Partial<Pick<Candidate, "counts" | "length" | "worth" | "settledBy">> {
  readonly id: string;
  readonly position: number;
  readonly score: number;
  readonly row: FoundRow;
}

/** A document as it is shown, at its place. */
export type Shown = Ranked &
  Examined & { readonly hasNearness?: true } & {
    readonly card: StoredHitSummary;
    readonly mimeType: string;
  };

/** Scores what the engine found, by BM25 over the stored frequencies. */
export class CandidateScores {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  async score(
    rows: readonly FoundRow[],
    { words, readers, title: sought }: Pick<Plan, "words" | "readers" | "title">,
    averageLength: number,
  ): Promise<readonly Candidate[]> {
    const beyond = await this.beyondStored(rows, words);
    const parameters = parametersFor(averageLength);
    const countIn = wordCounter(words);
    const scores = words.map((word) => scoreOf(word, parameters));
    return rows.map((row) => {
      const { id, position, t, len, lang, tf, pages } = row;
      const counts = countIn(tf, beyond.get(id));
      const length = pages > 0 ? countedLength(Infinity, averageLength) : len;
      const score = scores.reduce((sum, scored, index) => sum + scored(counts[index] as readonly number[], length), 0);
      const worth = languageWorth(lang === "" ? null : lang, readers);
      const title = sought === null ? 0 : titleScore(sought, titleMatchIn(sought, t), { length, parameters });
      return { id, position, row, score: (score + title) * worth, worth, title, counts, length };
    });
  }

  /** A huge document is stored with its most frequent words only. The engine knows which of them hold the others. */
  private async beyondStored(
    rows: readonly FoundRow[],
    words: readonly EngineWord[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
    const found = new Map<string, Map<number, number>>();
    const ids = `id:=[${rows.flatMap(({ id, cut }) => (cut ? [id] : [])).join(",")}]`;
    const count = rows.filter(({ cut }) => cut).length;
    if (count === 0) return found;
    const sought = [...new Set(words.flatMap(({ alternatives }) => alternatives.flatMap(allWordsOf)))];
    const asked = sought.slice(0, mostBeyond);
    const answers = await this.connection.search<{ readonly id: string }>(
      asked.map((word) => ({
        ...{ collection: this.collection, q: "*", filter_by: `${ids} && w:${word}` },
        ...{ include_fields: "id", per_page: count },
      })),
    );
    answers.forEach(({ hits }, index) => {
      for (const { document } of hits)
        found.set(
          document.id,
          (found.get(document.id) ?? new Map<number, number>()).set(wordCode(asked[index] as string), 1),
        );
    });
    return found;
  }
}

/** How many words are looked for in huge documents. */
const mostBeyond = 50;

const allWordsOf = ({ words, partWords }: EngineWay): readonly string[] => partWords?.flat() ?? words;

const lowBitsMask = 0xfff;

/** Makes the function that tells how often a document holds each way of each word. */
function wordCounter(
  words: readonly EngineWord[],
): (tf: string, beyond: ReadonlyMap<number, number> | undefined) => readonly (readonly number[])[] {
  const places = words.flatMap(({ alternatives }, word) =>
    alternatives.flatMap(({ words: whole, partWords }, way) =>
      (partWords ?? [whole]).map((some, part) => ({ word, way, part, some })),
    ),
  );
  const byCode = new Map<number, number[]>();
  // Most words of a document are not asked for: a look at a few bits of their codes tells.
  const lowBits = new Uint8Array(lowBitsMask + 1);
  places.forEach(({ some }, place) => {
    for (const word of some) {
      const code = wordCode(word);
      lowBits[code & lowBitsMask] = 1;
      const known = byCode.get(code);
      if (known === undefined) byCode.set(code, [place]);
      else known.push(place);
    }
  });
  const partsOf = words.map(({ alternatives }) => alternatives.map(() => [] as number[]));
  places.forEach(({ word, way }, place) => partsOf[word]?.[way]?.push(place));
  const held = new Float64Array(places.length);
  return (tf, beyond) => {
    held.fill(0);
    const see = (code: number, times: number): void => {
      for (const place of byCode.get(code) ?? []) held[place] = (held[place] as number) + times;
    };
    const stored = beyond && new Set<number>();
    forEachFrequency(tf, (code, times) => {
      stored?.add(code);
      if (lowBits[code & lowBitsMask] === 1) see(code, times);
    });
    beyond?.forEach((times, code) => stored?.has(code) === true || see(code, times));
    return partsOf.map((ways) => ways.map((parts) => leastOf(held, parts)));
  };
}

function leastOf(held: Float64Array, places: readonly number[]): number {
  let least = Infinity;
  for (const place of places) least = Math.min(least, held[place] as number);
  return least;
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

/**
 * What a word adds by how often a document holds each of its ways. Ways of which a document can hold only one are added
 * up; of others the best counts.
 */
export function scoreOf(
  { alternatives, areDisjoint }: Pick<EngineWord, "alternatives" | "areDisjoint">,
  parameters: readonly FieldParameters[],
): (counts: readonly number[], length: number) => number {
  const factors = alternatives.map(({ factor }) => factor);
  if (areDisjoint) return (counts, length) => bm25f(factors, [{ counts, length }], parameters);
  return (counts, length) => {
    let best = 0;
    counts.forEach((count, index) => {
      // A word may be held in hundreds of ways, and a document holds it in one or two.
      if (count > 0) best = Math.max(best, bm25f([factors[index] ?? 0], [{ counts: [count], length }], parameters));
    });
    return best;
  };
}
