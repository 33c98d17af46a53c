import { beginningOf } from "../../../shared/cutText.js";

/** A query within an engine's limits, cut at the end of a word where there is one. */
export function cutQuery(
  query: string,
  { characters, words }: { readonly characters: number; readonly words: number },
): string {
  const kept = query.trim().split(/\s+/).slice(0, words);
  while (kept.length > 1 && kept.join(" ").length > characters) kept.pop();
  return beginningOf(kept.join(" "), characters);
}
