import { foldWord } from "./folding.js";
import { isStopWord } from "./stopWords.js";

/** The languages that texts are stemmed in. A text in any other one is folded only. */
export type Language = "de" | "en";

/** What a word says for a language: 1 for a function word of that language alone, less for a look. */
export interface LanguageEvidence {
  readonly german: number;
  readonly english: number;
}

const germanLetters = /[äöüß]/i;
const germanEndings = /(?:ung|ungen|heit|keit|lich|lichen|liche|isch|ische|ischen|schaft|schaften|itat|ieren|iert|sch|cht|tz|zen)$/;
const englishEndings = /(?:tion|tions|ing|ings|ness|ity|ies|ous|ally|ly|ed|ment|ments|ship|ward|ght|ee|ay|ey|th|ck)$/;
/** Names and loan words look foreign: a look weighs less than a function word. */
const letters = 0.7;
const ending = 0.35;
const none: LanguageEvidence = { german: 0, english: 0 };

/** The evidence of one word. A word of both languages (in, was, die) is none. */
export function evidenceOf(surface: string): LanguageEvidence {
  const word = foldWord(surface);
  const german = isStopWord(word, "de");
  const english = isStopWord(word, "en");
  if (german || english) return german === english ? none : { german: Number(german), english: Number(english) };
  if (germanLetters.test(surface)) return { german: letters, english: 0 };
  return { german: germanEndings.test(word) ? ending : 0, english: englishEndings.test(word) ? ending : 0 };
}

/** Enough words to be sure of any prose, and a bound for long texts. */
const examinedWords = 300;
/** Prose holds 35 to 50% of its language's function words; of a related language's (Dutch, Danish) about 10%. */
const leastShare = 0.15;
const fewWords = 25;
const leastLead = 1.5;

/**
 * The language of a run of words, by the first 300: by function words and, where there are few, by letters that only
 * German has and endings that one of the two has. null: neither, or not enough to tell.
 */
export function languageBy(surfaces: readonly { readonly evidence: LanguageEvidence }[]): Language | null {
  const words = Math.min(surfaces.length, examinedWords);
  let german = 0;
  let english = 0;
  for (let at = 0; at < words; at += 1) {
    const { evidence } = surfaces[at] as { readonly evidence: LanguageEvidence };
    german += evidence.german;
    english += evidence.english;
  }
  const best = Math.max(german, english);
  if (best === 0 || best < Math.min(german, english) * leastLead) return null;
  if (words >= fewWords && best / words < leastShare) return null;
  return german > english ? "de" : "en";
}
