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

/** Words with their marks as an index holds them. */
export const markedTerms = (marked: TitleWords["marked"]): readonly string[] =>
  marked.flatMap((form) => (form === null ? [] : [titleMarks.marked + form]));
