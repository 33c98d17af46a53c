import { languageWorth } from "../../../analysis/rankingRules.js";
import type { SearchFileType } from "../../../readModels/search.js";
import type { Language } from "../../../shared/texts.js";

/* What columns hold as numbers: languages and file types. */

const languageNumbers = { de: 1, en: 2 } as const satisfies Readonly<Record<Language, number>>;
/** Each language at its number in columns; 0: none was recognised. */
const languagesByNumber: readonly (Language | null)[] = [null, "de", "en"];

/** SQL: the number of a row's `language`. */
export const languageNumber = `CASE language WHEN 'de' THEN ${languageNumbers.de} WHEN 'en' THEN ${languageNumbers.en} ELSE 0 END`;

/** What a document's score counts for a reader of this language, at the number of the document's. */
export const languageWorths = (readers: Language | null): readonly number[] =>
  languagesByNumber.map((language) => languageWorth(language, readers));

/** What was found, with the numbers of languages and the scores by slot. */
interface Scored {
  readonly found: Int32Array;
  readonly languages: Uint8Array;
  readonly scores: Float32Array;
}

/** Lets documents in another language than the reader's score less. Documents that are not found keep their score. */
export function preferLanguage(readers: Language | null, { found, languages, scores }: Scored): void {
  if (readers === null) return;
  const worths = languageWorths(readers);
  for (let index = 0; index < found.length; index++) {
    const slot = found[index] as number;
    scores[slot] = (scores[slot] as number) * (worths[languages[slot] as number] as number);
  }
}

/** A file type's number in the index: give a new type the next one, and never change one. */
const fileTypeNumbers: Readonly<Record<SearchFileType, number>> = {
  pdf: 0,
  word: 1,
  powerpoint: 2,
  excel: 3,
  email: 4,
  directory: 5,
  html: 6,
  txt: 7,
  compressed: 8,
  image: 9,
  message: 10,
  task: 11,
  issue: 12,
  wiki: 13,
  news: 14,
  page: 15,
  onenote: 16,
  comment: 17,
  other: 18,
};

export const numberOfFileType = (type: SearchFileType): number => fileTypeNumbers[type];

/** File types at their numbers. */
export const fileTypesByNumber: readonly SearchFileType[] = Object.entries(fileTypeNumbers)
  .sort(([, a], [, b]) => a - b)
  .map(([type]) => type as SearchFileType);
