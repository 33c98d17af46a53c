import { bestPassagesInTurns } from "../analysis/passages.js";

/** More of a page is not looked through: ranking happens on the thread that answers requests. */
const mostCharacters = 200_000;
const mostPassages = 3;

/** The passages of a page that fit a query best, in reading order, as plain text; null: none does. */
export async function fittingPassages(query: string, page: string, title: string): Promise<string | null> {
  const best = await bestPassagesInTurns(query, [{ text: page.slice(0, mostCharacters), title }], mostPassages);
  if (best.length === 0) return null;
  const inOrder = [...best].sort((one, other) => one.start - other.start);
  return inOrder.map(({ text }) => withoutMarks(text)).join("\n\n");
}

/** Without the marks of headings and code that Markdown has. */
const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^(?:#{1,6} +|```.*$\n?)/gm, "")
    .replaceAll("`", "")
    .trim();

const mostSentences = 5;
/** So many characters of all sources together are looked through for sentences, each source from its beginning. */
const mostForSentences = 60_000;
/** Shorter ones are headings and remains. */
const leastCharacters = 25;
/** Longer ones are tables and lists: no summary. */
const longestSentence = 600;

/**
 * A summary without a model: the sentences that fit a query best, in the order of their sources. Where none does, how the
 * first source begins.
 */
export async function fittingSentences(query: string, texts: readonly string[]): Promise<string> {
  const share = Math.floor(mostForSentences / Math.max(1, texts.length));
  const all = [...new Set(texts.flatMap((text) => sentencesOf(text.slice(0, share))))];
  const best = await bestPassagesInTurns(
    query,
    all.map((text) => ({ text })),
    mostSentences,
  );
  const chosen = best.length > 0 ? best.map(({ source }) => source) : all.slice(0, mostSentences).map((_, at) => at);
  return [...new Set(chosen)]
    .sort((one, other) => one - other)
    .map((at) => all[at])
    .join(" ");
}

const sentencesOf = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text), ({ segment }) =>
    segment.replace(/\s+/g, " ").trim(),
  ).filter(({ length }) => length >= leastCharacters && length <= longestSentence);
