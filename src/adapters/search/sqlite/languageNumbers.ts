import type { Language } from "../../../analysis/language.js";
import { languageWorth } from "../../../analysis/readersLanguage.js";

const numbers = { de: 1, en: 2 } as const satisfies Readonly<Record<Language, number>>;
/** Each language at its number in columns; 0: none was recognised. */
const languagesByNumber: readonly (Language | null)[] = [null, "de", "en"];

/** SQL: the number of a row's `language`. */
export const languageNumber = `CASE language WHEN 'de' THEN ${numbers.de} WHEN 'en' THEN ${numbers.en} ELSE 0 END`;

/** What a document's score counts for a reader of this language, at the number of the document's. */
export const languageWorths = (readers: Language | null): readonly number[] =>
  languagesByNumber.map((language) => languageWorth(language, readers));
