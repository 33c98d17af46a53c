import { stemmer as snowball } from "@orama/stemmers/german";
import { stem as english } from "porter2";
import type { Language } from "../shared/language.js";

/**
 * An s that Snowball leaves where German has its plural, because it follows a vowel, p or w: Büros, Autos, Laptops,
 * Interviews. Words of four letters and fewer (Haus, Gips) keep theirs.
 */
const foreignPlural = /(?<=..[aiouypw])s$/;

const german = (word: string): string => {
  const stemmed = snowball(word);
  return stemmed.length > 4 ? stemmed.replace(foreignPlural, "") : stemmed;
};

const stemmers: Readonly<Record<Language, (word: string) => string>> = { de: german, en: english };

/** The stem of a folded word of plain letters: Snowball's, and in German without the plural of words from elsewhere. */
export const stem = (word: string, language: Language): string => stemmers[language](word);
