import { forEachToken } from "./tokens.js";
import { foldWord } from "./folding.js";
import { isStopWord } from "./stopWords.js";

/** The languages that texts are stemmed in. A text in any other one is folded only. */
export type Language = "de" | "en";

/** How much of a text is looked at: enough to be sure of any prose, and a bound for very long texts. */
const examinedCharacters = 2_000;
/** Running prose holds 35 to 50% of its language's function words, a related language (Dutch, Danish) about 10%. */
const leastShareOfLongText = 0.15;
const longTextWords = 25;

/**
 * The language of a text by its function words and, where there are few, by letters that only German has and endings
 * that only one of the two has. Looks at the first 2,000 characters. null: neither, or not enough to tell.
 */
export function detectLanguage(text: string): Language | null {
  let words = 0;
  let german = 0;
  let english = 0;
  forEachToken(text, 0, Math.min(text.length, examinedCharacters), (start, end) => {
    const raw = text.slice(start, end);
    const word = foldWord(raw);
    if (word === "" || isNumber(word)) return;
    words += 1;
    const inGerman = isStopWord(word, "de");
    const inEnglish = isStopWord(word, "en");
    if (inGerman && !inEnglish) german += 1;
    else if (inEnglish && !inGerman) english += 1;
    else if (!inGerman) {
      german += germanLook(raw);
      english += englishLook(word);
    }
  });
  const [best, other] = german >= english ? [german, english] : [english, german];
  if (best === 0 || best < other * 1.5) return null;
  if (words >= longTextWords && best / words < leastShareOfLongText) return null;
  return german > english ? "de" : "en";
}

const isNumber = (word: string): boolean => word.charCodeAt(0) <= 57;

const germanLetters = /[äöüß]/i;
const germanEndings = /(?:ung|ungen|heit|keit|lich|lichen|liche|isch|ische|ischen|schaft|schaften|tat|itat|ieren|iert|sch|cht|tz|zen|ungs\w+)$/;
const englishEndings = /(?:tion|tions|ing|ings|ness|ity|ies|ous|ally|ly|ed|ment|ments|ship|ward|ght|ee|ay|ey|th|ck)$/;

/** Weighs less than a function word: names and loan words look foreign. */
const germanLook = (word: string): number => (germanLetters.test(word) ? 0.7 : germanEndings.test(word) ? 0.35 : 0);
const englishLook = (word: string): number => (englishEndings.test(word) ? 0.35 : 0);
