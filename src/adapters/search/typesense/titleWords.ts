import { titleWordsOf, type TypedText } from "../../../analysis/suggesting.js";
import { wordsLookedThrough } from "../../../analysis/completions.js";
import type { EngineSearch } from "./connection.js";
import { engineWord } from "./encoding.js";

/** A letter before each word tells those with which titles begin from all. Every word is stored as the latter. */
const marks = { begins: "b", holds: "x" } as const;

/** How a title may meet what is being typed. */
export type Meeting = keyof typeof marks;

/** How many titles are looked at. */
const mostTitles = 50;

/** The words of a title for the engine's own matching. */
export function engineTitle(title: string): string {
  const words = titleWordsOf(title).map(engineWord);
  return words.length === 0 ? "" : [marks.begins + words[0], ...words.map((word) => marks.holds + word)].join(" ");
}

/**
 * The search for titles that hold all words that were typed, and that begin with the first of them where they have to;
 * the newest first.
 */
export function titleSearch(
  collection: string,
  { words, isOpen }: TypedText,
  meeting: Meeting,
  filter: string,
): EngineSearch {
  const sought = words.map((word) => marks.holds + engineWord(word));
  const first = marks.begins + engineWord(words[0] ?? "");
  return {
    collection,
    q: (meeting === "holds" ? sought : words.length === 1 ? [first] : [first, ...sought]).join(" "),
    query_by: "t",
    filter_by: filter,
    prefix: isOpen,
    num_typos: 0,
    drop_tokens_threshold: 0,
    max_candidates: wordsLookedThrough,
    sort_by: "position:desc",
    include_fields: "id",
    per_page: mostTitles,
  };
}
