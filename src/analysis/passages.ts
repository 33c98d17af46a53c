import { setImmediate as nextTurn } from "node:timers/promises";
import { passageRangesOf } from "./passageBorders.js";
import { rankPassages, type PassageText, type RankedRange } from "./passageRanking.js";
import { worthOfRank } from "./rankFusion.js";
import type { TextRange } from "./nearness.js";

/** A part of a text that can be read by itself: about 200 words, at most 300, and at most 2,500 characters. */
export interface Passage {
  /** Where it stands in its text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly text: string;
  /** The headings above it, outermost first, joined by ` › `; null where there is none. */
  readonly heading: string | null;
}

/** A passage, and how well it answers a question. */
export interface RankedPassage extends Passage {
  /** The index of its text among the sources. */
  readonly source: number;
  /** Above 0: how well the words fit. It compares passages of one ranking, and says nothing by itself. */
  readonly score: number;
}

/** The passages of a text in their order: `passageRangesOf` says where it is cut. Accepts any text. */
export const passagesOf = (text: string): readonly Passage[] =>
  Array.from(passageRangesOf(text), ({ start, end, heading }) => ({
    start,
    end,
    heading,
    text: text.slice(start, end),
  }));

/**
 * The passages that answer a question best, across all sources, best first; at most `most`. A passage counts by the
 * words of the question in it, in its headings and in the title, as the search ranks documents: words that are rare
 * among these passages count more, and so do words as typed, neighbours, and words that stand together. A source that
 * holds none of the words gives no passage; one that holds them in its title alone gives its beginning. The first
 * 20,000,000 characters of all sources together are examined, which takes 30 to 40 ms a million; others get their turn
 * every few milliseconds.
 */
export async function bestPassagesInTurns(
  question: string,
  sources: readonly PassageText[],
  most: number,
  signal?: AbortSignal,
): Promise<readonly RankedPassage[]> {
  const ranking = rankPassages(question, sources, most);
  let step = ranking.next();
  while (step.done !== true) {
    await nextTurn();
    signal?.throwIfAborted();
    step = ranking.next();
  }
  return step.value.map(toPassage(sources));
}

/** A passage as it is read by itself: after a line with the headings that it stands under. */
export const withHeadings = ({ heading, text }: Pick<Passage, "heading" | "text">): string =>
  heading === null ? text : `${heading}\n\n${text}`;

/** Shorter passages are rare: so many are looked for that those found are enough. */
const shortPassage = 200;

/**
 * The passages of a text that answer a question best, in the order of the text: as many as fit into so many characters
 * with their headings. Where the text has no word of the question, the passages at its beginning.
 */
export async function passagesWithin(
  characters: number,
  question: string,
  source: PassageText,
  signal?: AbortSignal,
): Promise<readonly Passage[]> {
  const most = Math.ceil(characters / shortPassage);
  const best: readonly Passage[] = await bestPassagesInTurns(question, [source], most, signal);
  const offered = best.length > 0 ? best : passagesOf(source.text.slice(0, 2 * characters));
  const chosen: Passage[] = [];
  let room = characters;
  for (const passage of offered) {
    room -= withHeadings(passage).length;
    if (room < 0) break;
    chosen.push(passage);
  }
  return chosen.sort((a, b) => a.start - b.start);
}

/** The place among the sources counts for more than the one among the passages: the search knows all documents. */
const weightOfSource = 2;
/** How many passages are ordered anew. */
const fused = 50;

/** A text with its place in the order of a search, from 0; several searches may have put it first. */
export interface PlacedText extends PassageText {
  readonly place: number;
}

/**
 * Like {@link bestPassagesInTurns}, for sources that searches have put in order: that order and the one of the
 * passages are fused by their ranks. The score stays that of the words.
 */
export async function bestPassagesOfRanked(
  question: string,
  sources: readonly PlacedText[],
  most: number,
  signal?: AbortSignal,
): Promise<readonly RankedPassage[]> {
  const passages = await bestPassagesInTurns(question, sources, Math.max(most, fused), signal);
  const placeOf = ({ source }: RankedPassage): number => sources[source]?.place ?? source;
  return passages
    .map((passage, rank) => ({ passage, worth: worthOfRank(rank) + weightOfSource * worthOfRank(placeOf(passage)) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, most)
    .map(({ passage }) => passage);
}

const toPassage =
  (sources: readonly PassageText[]) =>
  ({ source, score, range: { start, end, heading } }: RankedRange): RankedPassage => ({
    start,
    end,
    heading,
    text: sources[source]?.text.slice(start, end) ?? "",
    source,
    score,
  });

/** A passage as a model is shown it. */
interface EmbeddedPassage {
  /** Where it stands in the document's text, in UTF-16 units. */
  readonly passage: TextRange;
  readonly text: string;
}

/**
 * The passages of a document, each with what it is about: the title and the headings above it. A document without a
 * text is its title.
 */
export function embeddedPassagesOf(title: string, text: string): readonly EmbeddedPassage[] {
  const passages = passagesOf(text);
  if (passages.length === 0) return [{ passage: { start: 0, end: 0 }, text: title }];
  return passages.map(({ start, end, heading, text: written }) => ({
    passage: { start, end },
    text: [title, ...(heading === null ? [] : [heading]), written].join("\n"),
  }));
}
