import { readTypedTitle, type TitleWords, type TypedTitle } from "./suggesting.js";

/** A person who types more words asks a question, which no title begins with. */
const mostWords = 16;

/** How a query meets a title that begins with all of its words, in their order: it is all of it, or its beginning. */
export type TitleMatch = "is" | "begins";

/**
 * What it counts that a title begins with the query, and what more that it is the query, compared with the weight of
 * all words of the query together. So much is more than a text can gain by repeating the words: people who type a title
 * mean the document that is called so (docs/design/search.md).
 */
export const titleMatchWorth: Readonly<Record<TitleMatch, number>> = { begins: 2.5, is: 1.5 };

/** The words with which a title may begin; null where the query holds none, or more than titles are looked for. */
export function titleSoughtBy(query: string): TypedTitle | null {
  const sought = readTypedTitle(query);
  return sought.words.length === 0 || sought.words.length > mostWords ? null : sought;
}

/**
 * How the words of a title meet those that are sought; null: they do not. `C#` is no title of `C` or `C++`, while who
 * leaves a mark out may mean any of them.
 */
export function titleMatchOf(sought: TypedTitle, title: TitleWords): TitleMatch | null {
  const more = title.words.length - sought.words.length;
  const last = sought.words.length - 1;
  if (more < 0 || sought.words.some((word, index) => index < last && title.words[index] !== word)) return null;
  if (sought.marked.some((form, index) => form !== null && title.marked[index] !== form)) return null;
  const [typed = "", held = ""] = [sought.words[last], title.words[last]];
  if (held === typed) return more === 0 ? "is" : "begins";
  return sought.isOpen && held.startsWith(typed) ? "begins" : null;
}
