import { evidenceOf, languageBy } from "../../analysis/languageEvidence.js";

/** Enough for some three hundred words: more tell nothing new. */
const examinedCharacters = 2_048;
/** Fewer words are a name or a number rather than prose. */
const leastWords = 40;

/** The language of a text, as its words show it; undefined where it is none that is known, or too short to tell. */
export function textLanguage(text: string): string | undefined {
  const words = text.slice(0, examinedCharacters).match(/\p{L}+/gu) ?? [];
  if (words.length < leastWords) return undefined;
  return languageBy(words.map((word) => ({ evidence: evidenceOf(word) }))) ?? undefined;
}
