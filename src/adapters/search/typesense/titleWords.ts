import { titleWordsOf, type TitleWords, type TypedTitle } from "../../../analysis/suggesting.js";
import { titleMatchOf, titleSoughtBy, type TitleMatch } from "../../../analysis/titleMatches.js";
import { heldTerms, titleMarks } from "../titleTerms.js";
import { engineWord } from "./encoding.js";

/** The words of a title for the engine's own matching. */
export function engineTitle(title: string): string {
  const read = inEngine(titleWordsOf(title));
  const { words } = read;
  if (words.length === 0) return "";
  return [titleMarks.begins + words[0], ...heldTerms(read), titleMarks.number + words.length].join(" ");
}

const inEngine = <Title extends TitleWords>(title: Title): Title => ({
  ...title,
  words: title.words.map(engineWord),
  marked: title.marked.map((form) => form && engineWord(form)),
});

/** A title as a query looks for it, its words in the engine's form. */
export interface SoughtTitle extends TypedTitle {
  /** The weight of all words of the query. */
  readonly weight: number;
}

/** The title that a query may be the beginning of; null: it is none. */
export function soughtTitle(query: string, weight: number): SoughtTitle | null {
  const sought = titleSoughtBy(query);
  return sought === null ? null : { ...inEngine(sought), weight };
}

/**
 * Filters for titles that are what is sought, and for those that begin with it, as far as the engine can tell: words
 * may stand there in another order, and none goes on.
 */
export function titleFilters(sought: SoughtTitle): Readonly<Record<TitleMatch, string>> {
  const { words } = sought;
  const begins = [titleMarks.begins + (words[0] ?? ""), ...heldTerms(sought).slice(1)].map((term) => `t:${term}`);
  return { begins: begins.join(" && "), is: [...begins, `t:${titleMarks.number}${words.length}`].join(" && ") };
}

/** How a title as the engine holds it meets what is sought; null: it does not. */
export function titleMatchIn(sought: SoughtTitle, engineTitleWords: string): TitleMatch | null {
  const words: string[] = [];
  const marked: (string | null)[] = [];
  for (const term of engineTitleWords.split(" ")) {
    if (term.startsWith(titleMarks.holds)) marked[words.push(term.slice(1)) - 1] = null;
    if (term.startsWith(titleMarks.marked)) marked[words.length - 1] = term.slice(1);
  }
  return titleMatchOf(sought, { words, marked });
}
