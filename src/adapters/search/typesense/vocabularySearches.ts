import type { EngineSearch } from "./connection.js";
import { shortHash } from "./encoding.js";

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
