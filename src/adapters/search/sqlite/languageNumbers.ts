import type { Language } from "../../../shared/texts.js";
import { languageWorth } from "../../../analysis/rankingRules.js";

const numbers = { de: 1, en: 2 } as const satisfies Readonly<Record<Language, number>>;
/** Each language at its number in columns; 0: none was recognised. */
const languagesByNumber: readonly (Language | null)[] = [null, "de", "en"];

/** SQL: the number of a row's `language`. */
export const languageNumber = `CASE language WHEN 'de' THEN ${numbers.de} WHEN 'en' THEN ${numbers.en} ELSE 0 END`;

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
