/** What completes a search that is being typed. */
export interface Suggestion {
  /** What the search becomes. */
  readonly text: string;
  /** `title`: of a document; `word`: what was typed, its last word completed. */
  readonly kind: "title" | "word";
  /** The document of that title, as `{datasource}__{document_id}`; null for a word. */
  readonly id: string | null;
}

/** A title with its document. */
export interface SuggestedTitle {
  readonly title: string;
  readonly id: string;
}

/**
 * The suggestions in their order: titles, then words. Half of the places are kept for words, as far as there are any. A
 * word that reads like one of the titles is left out.
 */
export function toSuggestions(
  titles: readonly SuggestedTitle[],
  words: readonly string[],
  count: number,
): readonly Suggestion[] {
  const told = new Set(titles.map(({ title }) => title.toLowerCase()));
  const others = [...new Set(words)].filter((text) => !told.has(text.toLowerCase()));
  const places = count - Math.min(others.length, Math.floor(count / 2));
  const first = titles.slice(0, places);
  return [
    ...first.map(({ title, id }): Suggestion => ({ text: title, kind: "title", id })),
    ...others.slice(0, count - first.length).map((text): Suggestion => ({ text, kind: "word", id: null })),
  ];
}
