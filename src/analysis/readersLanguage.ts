import type { Language } from "../shared/texts.js";

/**
 * What the score counts of a document that is in another language than the reader's. Among equal matches the documents
 * that can be read without effort come first; a better match in the other language still wins (docs/design/search.md).
 */
const worthOfOther = 0.7;

/**
 * What a document's score counts for a reader of this language. A document whose language was not recognised loses
 * nothing, and nothing is preferred where the reader's language is not known.
 */
export const languageWorth = (document: Language | null, readers: Language | null): number =>
  document === null || readers === null || document === readers ? 1 : worthOfOther;
