import { allowedInPart, partEnding } from "../../../analysis/misspelledParts.js";
import { allowedDistance, typoLookup } from "../../../analysis/vocabulary.js";
import type { EngineSearch } from "./connection.js";
import { engineWord } from "./encoding.js";

/** How many words one search proposes at most. */
const mostProposed = 100;
const mostErrors = 2;
/** How long words are in which the engine looks for one error, and for two. */
const [shortestWithOne, shortestWithTwo] = [4, 8];

/** What is near, or the beginning of what may be near. */
interface Sought {
  readonly field: "word" | "ending";
  readonly text: string;
  readonly typos: number;
  readonly isPrefix: boolean;
}

/**
 * The searches for words of the vocabulary that are near to one, and for those that begin or end with what is near.
 *
 * The engine's own matching proposes most of them. It gives up on words of which two letters were left out, and takes a
 * swap of the first two letters for two errors (seen on 29.0). So words that have half of it in common are proposed,
 * too, and those that begin the other way round. Which of them are near is left to the caller.
 */
export function nearSearches(vocabulary: string, word: string): readonly EngineSearch[] {
  const alike = { filter_by: `length:>=${word.length - mostErrors} && length:<=${word.length + mostErrors}` };
  return [
    ...nearWholes(word).map((sought) => ({ ...searchFor(vocabulary, sought), ...alike })),
    ...nearParts(word).map((sought) => searchFor(vocabulary, sought)),
  ];
}

function nearWholes(word: string): readonly Sought[] {
  const lookup = typoLookup(word);
  if (lookup === null) return [];
  const whole = { field: "word", text: word, typos: mostErrors, isPrefix: false } as const;
  const alternatives = [whole, ...swapped(whole)];
  if (allowedDistance(word) < mostErrors) return alternatives;
  const half = Math.floor(word.length / 2);
  return [
    ...alternatives,
    { field: "word", text: word.slice(0, half), typos: 1, isPrefix: true },
    ...(lookup.ending === null ? [] : [{ field: "ending", text: lookup.ending, typos: 0, isPrefix: true } as const]),
  ];
}

/**
 * A letter too many is two errors where the engine looks for a beginning: it compares as many letters as are sought.
 */
function nearParts(word: string): readonly Sought[] {
  const [end, allowed] = [partEnding(word), allowedInPart(word)];
  if (allowed === 0) return [];
  const beginning = { field: "word", text: word, typos: mostErrors, isPrefix: true } as const;
  const parts: readonly Sought[] =
    end === null ? [beginning] : [beginning, { ...beginning, field: "ending", text: end }];
  if (allowed < mostErrors) return parts;
  const halves = parts.map((part) => ({
    ...part,
    text: part.text.slice(0, Math.floor(part.text.length / 2)),
    typos: 1,
  }));
  return [...parts, ...parts.flatMap(swapped), ...halves];
}

/** The same with its first two letters swapped, which is one of its errors. */
function swapped({ text, typos, ...sought }: Sought): readonly Sought[] {
  const [first = "", second = "", ...others] = text;
  return first === second ? [] : [{ ...sought, text: [second, first, ...others].join(""), typos: typos - 1 }];
}

const searchFor = (vocabulary: string, { field, text, typos, isPrefix }: Sought): EngineSearch => ({
  collection: vocabulary,
  q: engineWord(text),
  query_by: field,
  prefix: isPrefix,
  num_typos: typos,
  min_len_1typo: shortestWithOne,
  min_len_2typo: isPrefix ? shortestWithOne : shortestWithTwo,
  typo_tokens_threshold: mostProposed,
  max_candidates: mostProposed,
  include_fields: "text",
  per_page: mostProposed,
});
