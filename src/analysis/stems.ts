import { stemmer as snowball } from "@orama/stemmers/german";
import { stem as porter } from "porter2";
import type { Language } from "../shared/texts.js";
import { americanStem, baseOf, formsBeginningOtherwise } from "./englishForms.js";
import { foldDigraphs } from "./folding.js";
import { verbFormsBeginningOtherwise, verbStem } from "./germanForms.js";

/**
 * An s that Snowball leaves where German has its plural, because it follows a vowel, p or w: Büros, Autos, Laptops,
 * Interviews. Words of four letters and fewer (Haus, Gips) keep theirs.
 */
const foreignPlural = /(?<=..[aiouypw])s$/;

/** Women: Leiterin, Ärztinnen. They meet the men, who stand for both in many texts. */
const female =
  /(?<=..(?:er|ist|or|ent|ant|walt|eur|[nt]ar|at|log|graf)|arzt|chef|freund|kolleg|kund|beamt|nachbar)in(?:nen)?$/;

/** Other plurals of women, of which Snowball leaves an n. */
const femalePlural = /(?<=...in)n$/;

/** The spelling from before 1996, which is still common: Photo, Graphik, Potential. */
const ph = /ph/g;

const ti = /(?<=n)ti(?=al|ell)/;

const german = (word: string): string => {
  const stemmed = snowball(word.replace(female, "").replace(ph, "f").replace(ti, "zi"));
  const singular = stemmed.length > 4 ? stemmed.replace(foreignPlural, "").replace(femalePlural, "") : stemmed;
  return verbStem(foldDigraphs(singular));
};

/** An f that turns into a v in the plural: shelves, loaves, thieves. Leaves may be of leave. */
const voiced = /(?<=..l|.ar|.oa|thie)v$/;

const english = (word: string): string => americanStem(porter(baseOf(word)).replace(voiced, "f"));

const stemmers: Readonly<Record<Language, (word: string) => string>> = { de: german, en: english };

/**
 * The stem of a folded word of plain letters: Snowball's, where forms meet that it keeps apart: irregular ones, those
 * of verbs, of women, and of both spellings of a language (docs/design/words.md).
 */
export const stem = (word: string, language: Language): string => stemmers[language](word);

/** Words with this stem may begin as these do, besides as the stem does. */
export function otherBeginnings(stemmed: string, language: Language): readonly string[] {
  if (language === "en") return formsBeginningOtherwise(stemmed);
  const spelledWithPh = [stemmed.replace(/^f/, "ph"), stemmed.replace(/^(.)f/, "$1ph")];
  return [...verbFormsBeginningOtherwise(stemmed), ...spelledWithPh.filter((spelled) => spelled !== stemmed)];
}
