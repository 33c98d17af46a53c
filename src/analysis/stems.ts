import { stemmer as snowball } from "@orama/stemmers/german";
import { stem as porter } from "porter2";
import type { Language } from "../shared/language.js";

/**
 * An s that Snowball leaves where German has its plural, because it follows a vowel, p or w: Büros, Autos, Laptops,
 * Interviews. Words of four letters and fewer (Haus, Gips) keep theirs.
 */
const foreignPlural = /(?<=..[aiouypw])s$/;

/** What Snowball leaves of the plural of women: Ärztinnen. */
const femalePlural = /(?<=...in)n$/;

const german = (word: string): string => {
  const stemmed = snowball(word);
  return stemmed.length > 4 ? stemmed.replace(foreignPlural, "").replace(femalePlural, "") : stemmed;
};

/** An f that turns into a v in the plural and in verbs: shelves, loaves, thieves, believe. Leaves may be of leave. */
const voiced = /(?<=..l|.ar|.oa|.ie)v$/;

const english = (word: string): string => porter(word).replace(voiced, "f");

const stemmers: Readonly<Record<Language, (word: string) => string>> = { de: german, en: english };

/** The stem of a folded word of plain letters: Snowball's, where other plurals lose what it leaves of them. */
export const stem = (word: string, language: Language): string => stemmers[language](word);
