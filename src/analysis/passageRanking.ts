import { detectLanguage } from "./analyseDocument.js";
import { analyseQuery, type QueryWord } from "./analyseQuery.js";
import { bm25f, inverseDocumentFrequency } from "./bm25f.js";
import { initialsOf } from "./initials.js";
import type { Language } from "../shared/texts.js";
import { nearnessOf, type WeighedWord } from "./nearness.js";
import { passageRangesOf, type PassageRange } from "./passageBorders.js";
import { lengthNormalisation, reordered, titleWeight } from "./rankingRules.js";
import { forEachToken } from "./tokens.js";
import { surfaceOf } from "./words.js";

/** A text in which passages are looked for. */
export interface PassageText {
  readonly text: string;
  readonly title?: string;
}

/** A passage of one of the texts, by the text's index. */
export interface RankedRange {
  readonly source: number;
  readonly range: PassageRange;
  readonly score: number;
}

/** How many characters of all sources together are examined. */
const examinedCharacters = 20_000_000;

/** How many passages are read at once, or weighed: some milliseconds. */
const passagesAtOnce = 50;

const weighedAtOnce = 1_000;
/** How much of a text its language is recognised by. */
const headLength = 4_000;

/** How often each word of the question stands in a text. */
interface Counted {
  readonly counts: readonly number[];
  /** How many words it has in all. */
  readonly words: number;
}

interface Candidate {
  readonly source: number;
  readonly range: PassageRange;
  readonly language: Language | null;
  readonly title: string;
  readonly text: string;
  readonly inText: readonly number[];
  /** The words of title and headings. */
  readonly above: Counted;
}

/**
 * Ranks the passages of all sources, and pauses every few milliseconds: what it promises is told of
 * `bestPassagesInTurns` in `passages.ts`.
 */
export function* rankPassages(
  question: string,
  sources: readonly PassageText[],
  most: number,
): Generator<void, readonly RankedRange[], void> {
  const query = analyseQuery(question);
  if (query.words.length === 0) return [];
  const ranking = new Ranking(query.words);
  let room = examinedCharacters;
  for (const [source, { text, title = "" }] of sources.entries()) {
    const examined = text.length <= room ? text : text.slice(0, room);
    room -= examined.length;
    const language = detectLanguage(`${title} ${examined.slice(0, headLength)}`) ?? query.language;
    ranking.begin(source, title, language);
    for (const range of passageRangesOf(examined)) if (ranking.read(examined, range)) yield;
  }
  return yield* ranking.best(most);
}

/** What is gathered of all passages before any of them can be weighed. */
class Ranking {
  private readonly candidates: Candidate[] = [];
  private readonly count: (text: string, start: number, end: number, language: Language | null) => Counted;
  /** In how many passages each word stands. */
  private readonly holding: number[];
  private passages = 0;
  private wordsInText = 0;
  private wordsAbove = 0;
  private source = { index: 0, title: "", language: null as Language | null, counted: none, isFirst: true };
  private heading: { text: string | null; counted: Counted } = { text: null, counted: none };

  constructor(private readonly words: readonly QueryWord[]) {
    this.count = counterOf(words);
    this.holding = words.map(() => 0);
  }

  begin(index: number, title: string, language: Language | null): void {
    const counted = this.count(title, 0, title.length, language);
    this.source = { index, title, language, counted, isFirst: true };
    this.heading = { text: null, counted: none };
  }

  /** True where it is time for a pause. */
  read(text: string, range: PassageRange): boolean {
    const { index, title, language, counted, isFirst } = this.source;
    const heading = this.headingOf(range);
    const { counts: inText } = this.count(text, range.start, range.end, language);
    const above = { counts: sums(counted.counts, heading.counts), words: counted.words + heading.words };
    this.add(range, inText, above);
    // The title alone speaks for the beginning: of a long text every passage would be as good as the other.
    if (holdsAny(inText) || holdsAny(heading.counts) || (isFirst && holdsAny(counted.counts))) {
      const candidate = { source: index, range, language, inText, above, text: text.slice(range.start, range.end) };
      this.candidates.push({ ...candidate, title: `${title}\n${range.heading ?? ""}` });
    }
    this.source.isFirst = false;
    return this.passages % passagesAtOnce === 0;
  }

  /** Passages below one heading follow each other. */
  private headingOf({ heading }: PassageRange): Counted {
    if (heading !== this.heading.text) {
      const counted = heading === null ? none : this.count(heading, 0, heading.length, this.source.language);
      this.heading = { text: heading, counted };
    }
    return this.heading.counted;
  }

  private add(range: PassageRange, inText: readonly number[], above: Counted): void {
    this.passages += 1;
    this.wordsInText += range.words;
    this.wordsAbove += above.words;
    for (const word of this.holding.keys())
      if ((inText[word] ?? 0) + (above.counts[word] ?? 0) > 0) this.holding[word] = (this.holding[word] ?? 0) + 1;
  }

  *best(most: number): Generator<void, readonly RankedRange[], void> {
    const words = this.words.map((word, index) => ({
      ...word,
      weight: inverseDocumentFrequency(this.passages, this.holding[index] ?? 0),
    }));
    const nearness = nearnessOf(words);
    const scoreOf = this.scoresBy(words);
    const scored: Scored[] = [];
    for (const candidate of this.candidates) {
      scored.push({ candidate, score: scoreOf(candidate) });
      if (scored.length % weighedAtOnce === 0) yield;
    }
    return scored
      .sort(bestFirst)
      .slice(0, Math.max(most, reordered))
      .map(({ candidate, score }) => ({ candidate, score: score + nearness(candidate) }))
      .sort(bestFirst)
      .slice(0, most)
      .map(({ candidate: { source, range }, score }) => ({ source, range, score }));
  }

  private scoresBy(words: readonly WeighedWord[]): (candidate: Candidate) => number {
    const weights = words.map(({ weight }) => weight);
    const averageAbove = this.wordsAbove / this.passages;
    const averageInText = this.wordsInText / this.passages;
    const parameters = [
      { weight: titleWeight, lengthNormalisation, averageLength: averageAbove },
      { weight: 1, lengthNormalisation, averageLength: averageInText },
    ];
    return ({ inText, above, range }) =>
      bm25f(
        weights,
        [
          { counts: above.counts, length: above.words },
          { counts: inText, length: range.words },
        ],
        parameters,
      );
  }
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Equals stay as they stand: by source, and in the text's order. */
const bestFirst = (a: Scored, b: Scored): number => b.score - a.score;

const none: Counted = { counts: [], words: 0 };
const holdsAny = (counts: readonly number[]): boolean => counts.some((count) => count > 0);
const sums = (a: readonly number[], b: readonly number[]): readonly number[] =>
  b.length === 0 ? a : a.map((count, index) => count + (b[index] ?? 0));

function counterOf(
  words: readonly QueryWord[],
): (text: string, start: number, end: number, language: Language | null) => Counted {
  const sought = new Map(words.flatMap(({ terms }, index) => terms.map((term) => [term, index] as const)));
  const mayBegin = initialsOf([...sought.keys()]);
  return (text, start, end, language) => {
    const counts = words.map(() => 0);
    let found = 0;
    forEachToken(text, start, end, (from, to) => {
      found += 1;
      const surface = mayBegin(text, from) ? surfaceOf(text.slice(from, to)) : null;
      const index = surface === null ? undefined : sought.get(surface.word.termIn(language));
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1;
    });
    return { counts, words: found };
  };
}
