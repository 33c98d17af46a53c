import type { PlaceOfWord } from "../../analysis/rankingRules.js";
import type { TitleWords } from "../../analysis/suggesting.js";

/**
 * What stands before a word of a title in an index: `begins` before the one with which it begins, `holds` before every
 * one, `marked` before one with its mark (`C++`), and `number` before how many there are.
 */
export const titleMarks = { begins: "b", holds: "x", marked: "m", number: "n" } as const;

/** How a title may meet what is being typed. */
export type Meeting = "begins" | "holds";

/** Every word of a title as an index holds it, and behind it the same with its mark. */
export const heldTerms = ({ words, marked }: TitleWords): readonly string[] =>
  words.flatMap((word, index) => [titleMarks.holds + word, ...markedTerms(marked.slice(index, index + 1))]);

/** Where a document with this title holds these words, which are one word as it is asked for. */
export function placeOfWord(heldTitle: readonly string[], words: readonly string[]): PlaceOfWord {
  const held = heldTitle.filter((term) => term.startsWith(titleMarks.holds));
  if (!words.every((word) => held.includes(titleMarks.holds + word))) return "anywhere";
  return held.length === words.length ? "title" : "inTitle";
}

/** Words with their marks as an index holds them. */
export const markedTerms = (marked: TitleWords["marked"]): readonly string[] =>
  marked.flatMap((form) => (form === null ? [] : [titleMarks.marked + form]));
