import { titleWordsOf } from "./suggesting.js";

/** Whoever types more words asks a question, which no title begins with. */
const mostWords = 16;

/** How a query meets a title that begins with all of its words, in their order: it is all of it, or its beginning. */
export type TitleMatch = "is" | "begins";

/**
 * What it counts that a title begins with the query, and what more that it is the query, compared with the weight of all
 * words of the query together. So much is more than a text can gain by repeating the words: people who type a title
 * mean the document that is called so (ADR 49).
 */
export const titleMatchWorth: Readonly<Record<TitleMatch, number>> = { begins: 2.5, is: 1.5 };

/** The words with which a title may begin; null where the query holds none, or more than titles are looked for. */
export function titleSoughtBy(query: string): readonly string[] | null {
  const words = titleWordsOf(query);
  return words.length === 0 || words.length > mostWords ? null : words;
}

/** How the words of a title, made by `titleWordsOf`, meet those that are sought; null: they do not. */
export function titleMatchOf(sought: readonly string[], title: readonly string[]): TitleMatch | null {
  if (title.length < sought.length || sought.some((word, index) => title[index] !== word)) return null;
  return title.length === sought.length ? "is" : "begins";
}
