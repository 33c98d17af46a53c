import { foldWord } from "./folding.js";
import type { Language } from "../shared/texts.js";
import { isStopWord } from "./stopWords.js";

/**
 * What a word says for a language: 1 where it is a function word of that language alone, less where only its spelling
 * hints at it.
 */
export interface LanguageEvidence {
  readonly german: number;
  readonly english: number;
}

const germanLetters = /[äöüß]/i;
/** Spellings that are common in one of the two and rare in the other. */
const germanSpelling =
  /^(?:ver|ent|zer|auf|aus|ein|vor|zu[^r]|ab[^eiol]|[kz][aeiloru])|sch|cht|tz|pf|zw|hr|hn|hm|[aeou]hl|eu|[^v]ei[^vnlgr]|ahr|chs|kt|rz|lz|ung|keit|heit|lich|[bdfghklmnprstz]en$/;

const englishSpelling =
  /^(?:wh|c[aeloru])|th|ough|igh|oo|ee|ea|ow|[ao]y|oa|tion|ing$|ings$|[^aeiou]y$|[ai]ce$|ous$|ness|ies$|[^ei]ed$|ment|ship$|ous$|[^aiu]te$|ck[es]*$|[^u]re$|sh/;

/** Names and loan words look foreign, so a spelling weighs less than a function word. */
const letters = 0.7;

const spelling = 0.3;
/** What a word says that may be of either language, or of another. */
export const noEvidence: LanguageEvidence = { german: 0, english: 0 };

/** The evidence of one word. A word of both languages (in, was, die) is none. */
export function evidenceOf(surface: string): LanguageEvidence {
  const word = foldWord(surface);
  const german = isStopWord(word, "de");
  const english = isStopWord(word, "en");
  if (german || english) return german === english ? noEvidence : { german: Number(german), english: Number(english) };
  if (germanLetters.test(surface)) return { german: letters, english: 0 };
  const looksGerman = germanSpelling.test(word);
  if (looksGerman === englishSpelling.test(word)) return noEvidence;
  return looksGerman ? { german: spelling, english: 0 } : { german: 0, english: spelling };
}

/** A word with what it says for a language. */
interface Evident {
  readonly evidence: LanguageEvidence;
}

/** Enough words to be sure of any prose, and a bound for long texts. */
const examinedWords = 300;

/**
 * In prose 35 to 50% of the words are function words of its language; in a related language (Dutch, Danish) about 10%
 * are.
 */
const leastShare = 0.15;

const fewWords = 25;
const leastLead = 1.5;

/**
 * The language of a run of words, told by the first 300: by function words and, where there are few, by letters that
 * only German has and endings that only one of the two has. null: neither language, or not enough to tell.
 */
export function languageBy(surfaces: readonly Evident[]): Language | null {
  const words = Math.min(surfaces.length, examinedWords);
  const { german, english } = evidenceIn(surfaces, words);
  const best = Math.max(german, english);
  if (best === 0 || best < Math.min(german, english) * leastLead) return null;
  if (words >= fewWords && best / words < leastShare) return null;
  return german > english ? "de" : "en";
}

/** A name of a word or two may look like either language. */
const fewestTelling = 3;

/** A function word, or as much by spelling. */
const leastTold = 1;

/**
 * The language in which a query is asked, where it holds enough to prefer documents of that language: some words, and a
 * function word among them or as much evidence. null: it cannot be told, or the query is too short.
 */
export function languageAskedIn(surfaces: readonly Evident[]): Language | null {
  if (surfaces.length < fewestTelling) return null;
  const { german, english } = evidenceIn(surfaces, surfaces.length);
  return Math.max(german, english) < leastTold ? null : languageBy(surfaces);
}

function evidenceIn(surfaces: readonly Evident[], words: number): LanguageEvidence {
  let german = 0;
  let english = 0;
  for (let at = 0; at < words; at += 1) {
    const { evidence } = surfaces[at] as Evident;
    german += evidence.german;
    english += evidence.english;
  }
  return { german, english };
}
