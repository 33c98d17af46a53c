import {
  asksForMany,
  leastScoreOfOneWord,
  tellsAlone,
  titlesLookedAt,
  wordsOfMatch,
} from "../../../analysis/rankingRules.js";
import { titleWordsOf } from "../../../analysis/suggesting.js";
import { heldTerms, placeOfWord } from "../titleTerms.js";
import type { SqliteExpansion, SqliteWord } from "./visibleWords.js";

import type { Scores } from "./scores.js";
import { topRanked } from "./topRanked.js";

/** What is known of the documents besides their scores. */
interface FoundAmong {
  /** The slots of those that may be shown. */
  readonly visible: Int32Array;
  /** How many documents are open to the person. */
  readonly documents: number;
  titleOf(slot: number): string;
}

/**
 * Tells a match from a document that holds one common word of many; null: all are matches. To be called while the
 * scores are those of the words alone.
 */
export function matchTest(
  { bySlot, heldBySlot }: Scores,
  words: readonly SqliteWord[],
  among: FoundAmong,
): ((slot: number) => boolean) | null {
  const asked = words.filter(({ isAsked }) => isAsked);
  const known = asked.filter(({ expansions }) => expansions.some(isKnown));
  const many = { words: asked.length, unknown: asked.length - known.length };
  if (!asksForMany(many)) return null;
  let best = 0;
  for (let index = 0; index < among.visible.length; index++)
    best = Math.max(best, bySlot[among.visible[index] as number] as number);
  const least = leastScoreOfOneWord(many, best);
  const isHeldTwice = (slot: number): boolean => (heldBySlot[slot] as number) >= wordsOfMatch;
  const isAboveLeast = (slot: number): boolean => isHeldTwice(slot) || (bySlot[slot] as number) >= least;
  if (Number.isFinite(least)) return isAboveLeast;
  const telling = slotsTold(known, among, topRanked(among.visible, titlesLookedAt, bySlot));
  return (slot) => isHeldTwice(slot) || telling.has(slot);
}

const isKnown = ({ reading, ways }: SqliteExpansion): boolean => reading !== "correction" && ways.length > 0;

/** The slots of documents that are matches by one word that tells alone. */
function slotsTold(
  known: readonly SqliteWord[],
  { documents: all, titleOf }: FoundAmong,
  best: Int32Array,
): ReadonlySet<number> {
  const told = new Set<number>();
  for (const { typed, expansions } of known) {
    const ways = expansions.filter(({ reading }) => reading === "as_typed").flatMap((expansion) => expansion.ways);
    const documents = ways.reduce((sum, way) => sum + way.documents, 0);
    if (documents === 0) continue;
    const word = { typed, documents, all };
    if (tellsAlone(word, "anywhere")) for (const { postings } of ways) addSlots(told, postings);
    const sought = titleWordsOf(typed).words;
    for (const slot of best) {
      const place = placeOfWord(heldTerms(titleWordsOf(titleOf(slot))), sought);
      if (place !== "anywhere" && tellsAlone(word, place)) told.add(slot);
    }
  }
  return told;
}

function addSlots(to: Set<number>, { slots, size }: SqliteExpansion["ways"][number]["postings"]): void {
  for (const slot of slots.subarray(0, size)) to.add(slot);
}
