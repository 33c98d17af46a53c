import type { QueryPhrase } from "../../analysis/queryPhrases.js";
import { snippetsAbout, type PassageSource, type SoughtWord } from "../../analysis/snippet.js";
import { plainSnippet, type SearchHit } from "../../readModels/search.js";

/** The length of a passage, about: some 500 tokens, which is as much as many rerankers read of a text. */
const passageCharacters = 2_000;

/**
 * Makes the function that takes out of a text what is shown of it about these words: the snippet, and the passage where
 * it is asked for.
 */
export function excerptsAbout(
  words: readonly SoughtWord[],
  phrases: readonly QueryPhrase[],
  passages: true | undefined,
): (source: PassageSource) => Pick<SearchHit, "snippet" | "passage"> {
  const snippetOf = snippetsAbout(words, phrases);
  if (passages === undefined) return (source) => ({ snippet: snippetOf(source) });
  const passageOf = snippetsAbout(words, phrases, passageCharacters);
  return (source) => ({ snippet: snippetOf(source), passage: plainSnippet(passageOf(source)) });
}
