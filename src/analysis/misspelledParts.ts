import { distanceWithin } from "../shared/editDistance.js";
import { endingOf, headOf, isCompoundFrom, partsBeforeHead } from "./compoundWords.js";

/*
 * Compounds of which an unknown word is a misspelled part: `Löshcer` of Feuerlöscher, `Brandschuz` of
 * Brandschutzhelfer. Asked for last, where no word is near as a whole.
 */

/** Shorter words are near to a part of some word by chance. */
const shortestPart = 6;
/** The same of a head without its inflection: `füttern` is not near to the end of kaputte. */
const shortestHead = 5;
/** From here on two errors are allowed. */
const shortestWithTwo = 10;
/** The ends of longer words are looked up as far as this: more would select no better. */
const lookedUp = 12;
const alphabet = "abcdefghijklmnopqrstuvwxyz";
const letters = /^[a-z]+$/;

/** How many edits are allowed in a part; 0: it is not looked for. */
export const allowedInPart = (word: string): 0 | 1 | 2 =>
  !letters.test(word) || word.length < shortestPart ? 0 : word.length < shortestWithTwo ? 1 : 2;

/** Where compounds may be found that begin or end with what is one edit away from a word. */
interface PartLookup {
  /** What they may begin with. */
  readonly beginnings: readonly string[];
  /** What their ends, backwards, may begin with. */
  readonly endings: readonly string[];
}

/** What to look up for a misspelled part: some 650 of each at most. Null where it is not looked for. */
export function partLookup(word: string): PartLookup | null {
  if (allowedInPart(word) === 0) return null;
  const end = partEnding(word);
  return { beginnings: oneEditAway(word), endings: end === null ? [] : oneEditAway(end) };
}

/** The end of a word by which compounds that end so are looked up, backwards; null where it is not looked for. */
function partEnding(word: string): string | null {
  const head = misspelledHead(word);
  return allowedInPart(word) === 0 || head === null ? null : backwards(head);
}

function misspelledHead(word: string): string | null {
  const head = headOf(word);
  return head === null || head.length < shortestHead ? null : head;
}

/**
 * The words that begin or end, as compounds do, with a word that may have been meant: nearest first, then the shorter.
 */
export function rankPartCorrections(
  word: string,
  compounds: readonly string[],
): readonly { readonly word: string; readonly distance: number }[] {
  const allowed = allowedInPart(word);
  const head = misspelledHead(word);
  if (allowed === 0) return [];
  return compounds
    .flatMap((compound) => {
      const asHead = head === null ? null : distanceAsHead(head, compound, allowed);
      const distances = [distanceAsBeginning(word, compound, allowed), asHead];
      const distance = Math.min(...distances.map((each) => each ?? Infinity));
      return distance > 0 && distance <= allowed ? [{ word: compound, distance }] : [];
    })
    .sort((a, b) => a.distance - b.distance || a.word.length - b.word.length || (a.word < b.word ? -1 : 1));
}

/** The distance to the nearest beginning of the compound; null where none is near, or the word is no compound. */
const distanceAsBeginning = (word: string, compound: string, allowed: number): number | null =>
  nearest(word, compound, allowed, (beginning) => isCompoundFrom(beginning, compound));

function distanceAsHead(head: string, compound: string, allowed: number): number | null {
  const ending = endingOf(compound);
  if (ending === null) return null;
  return nearest(backwards(head), ending, allowed, (end) => partsBeforeHead(compound, end) !== null);
}

function nearest(part: string, whole: string, allowed: number, isPart: (beginning: string) => boolean): number | null {
  let least: number | null = null;
  for (let length = part.length - allowed; length <= part.length + allowed; length += 1) {
    const beginning = whole.slice(0, length);
    if (beginning.length < length || !isPart(beginning)) continue;
    const distance = distanceWithin(part, beginning, allowed);
    if (distance !== null && (least === null || distance < least)) least = distance;
  }
  return least;
}

/** Everything that one edit makes of the first letters of a word. */
function oneEditAway(word: string): readonly string[] {
  const start = word.slice(0, lookedUp);
  const edits = new Set<string>();
  for (let at = 0; at <= start.length; at += 1) {
    const [before, after] = [start.slice(0, at), start.slice(at)];
    for (const letter of alphabet) {
      edits.add(before + letter + after);
      if (after !== "") edits.add(before + letter + after.slice(1));
    }
    edits.add(before + after.slice(1));
    if (after.length > 1) edits.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  edits.delete(start);
  return [...edits];
}

const backwards = (word: string): string => [...word].toReversed().join("");
