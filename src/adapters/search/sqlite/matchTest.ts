import { asksForMany, leastScoreOfOneWord, wordsOfMatch } from "../../../analysis/rankingRules.js";
import type { RunnableWord } from "./queryWords.js";
import type { Expansion } from "./rareWords.js";
import type { Scores } from "./scores.js";

/**
 * Tells a match from a document that holds one common word of many; null: all are matches. `visible` are the slots of
 * those that may be shown. To be called while the scores are those of the words alone.
 */
export function matchTest(
  { bySlot, heldBySlot }: Scores,
  visible: Int32Array,
  words: readonly RunnableWord[],
): ((slot: number) => boolean) | null {
  const asked = words.filter(({ isAsked }) => isAsked);
  const isKnown = ({ reading, ways }: Expansion): boolean => reading !== "correction" && ways.length > 0;
  const unknown = asked.filter(({ expansions }) => !expansions.some(isKnown)).length;
  const many = { words: asked.length, unknown };
  if (!asksForMany(many)) return null;
  let best = 0;
  for (let index = 0; index < visible.length; index++)
    best = Math.max(best, bySlot[visible[index] as number] as number);
  const least = leastScoreOfOneWord(many, best);
  return (slot) => (heldBySlot[slot] as number) >= wordsOfMatch || (bySlot[slot] as number) >= least;
}
