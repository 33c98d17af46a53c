import { titleWordsOf, type TitleWords, type TypedText, type TypedTitle } from "../../../analysis/suggesting.js";
import { wordsLookedThrough } from "../../../analysis/completions.js";
import { titleMatchOf, titleSoughtBy, type TitleMatch } from "../../../analysis/titleMatches.js";
import type { EngineSearch } from "./connection.js";
import { engineWord } from "./encoding.js";

/** A letter before each word tells those with which titles begin from all. Every word is stored as the latter. */
const marks = { begins: "b", holds: "x" } as const;
/** Before the number of a title's words. */
const numberMark = "n";
/** Before a word with its mark: `C++`. */
const markedMark = "m";

/** How a title may meet what is being typed. */
export type Meeting = keyof typeof marks;

/** How many titles are looked at. */
const mostTitles = 50;

/** The words of a title for the engine's own matching. */
export function engineTitle(title: string): string {
  const { words, marked } = inEngine(titleWordsOf(title));
  if (words.length === 0) return "";
  return [marks.begins + words[0], ...heldIn({ words, marked }), numberMark + words.length].join(" ");
}

const inEngine = <Title extends TitleWords>(title: Title): Title => ({
  ...title,
  words: title.words.map(engineWord),
  marked: title.marked.map((form) => form && engineWord(form)),
});

/** Each word, and behind it the same with its mark. */
const heldIn = ({ words, marked }: TitleWords): readonly string[] =>
  words.flatMap((word, index) => {
    const form = marked[index];
    return form ? [marks.holds + word, markedMark + form] : [marks.holds + word];
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
 * Filters for titles that are what is sought, and for those that begin with it, as far as the engine can tell: words may
 * stand there in another order, and none goes on.
 */
export function titleFilters({ words, marked }: SoughtTitle): Readonly<Record<TitleMatch, string>> {
  const begins = [marks.begins + (words[0] ?? ""), ...heldIn({ words, marked }).slice(1)].map((term) => `t:${term}`);
  return { begins: begins.join(" && "), is: [...begins, `t:${numberMark}${words.length}`].join(" && ") };
}

/** How a title as the engine holds it meets what is sought; null: it does not. */
export function titleMatchIn(sought: SoughtTitle, engineTitleWords: string): TitleMatch | null {
  const words: string[] = [];
  const marked: (string | null)[] = [];
  for (const term of engineTitleWords.split(" ")) {
    if (term.startsWith(marks.holds)) marked[words.push(term.slice(1)) - 1] = null;
    if (term.startsWith(markedMark)) marked[words.length - 1] = term.slice(1);
  }
  return titleMatchOf(sought, { words, marked });
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
