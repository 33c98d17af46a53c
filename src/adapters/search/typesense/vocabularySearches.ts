import { allowedInPart, partEnding } from "../../../analysis/misspelledParts.js";
import { typoLookup } from "../../../analysis/vocabulary.js";
import type { EngineSearch } from "./connection.js";
import { engineWord, shortHash } from "./encoding.js";

const wordsPerSearch = 100;

/** The searches that tell which of these words the vocabulary holds. */
export function knownSearches(vocabulary: string, words: readonly string[]): readonly EngineSearch[] {
  const searches: EngineSearch[] = [];
  for (let from = 0; from < words.length; from += wordsPerSearch) {
    const ids = words.slice(from, from + wordsPerSearch).map(shortHash);
    searches.push({
      collection: vocabulary,
      q: "*",
      filter_by: `id:=[${ids.join(",")}]`,
      include_fields: "text",
      per_page: wordsPerSearch,
    });
  }
  return searches;
}

/** The searches for words that are near as a whole, and then for those that begin or end with what is near. */
export function nearSearches(vocabulary: string, word: string): readonly EngineSearch[] {
  const whole = { ...nearSearch(vocabulary, engineWord(word), typoLookup(word) === null ? 0 : 2), prefix: false };
  const end = partEnding(word);
  const allowed = allowedInPart(word);
  if (end === null) return [whole];
  return [
    whole,
    { ...nearSearch(vocabulary, engineWord(word), allowed), prefix: true },
    { ...nearSearch(vocabulary, end, allowed), prefix: true, query_by: "ending" },
  ];
}

const nearSearch = (vocabulary: string, q: string, typos: number): EngineSearch => ({
  collection: vocabulary,
  q,
  query_by: "word",
  num_typos: typos,
  min_len_1typo: 4,
  min_len_2typo: 8,
  typo_tokens_threshold: wordsPerSearch,
  max_candidates: wordsPerSearch,
  include_fields: "text",
  per_page: wordsPerSearch,
});
