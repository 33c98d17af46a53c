import { forEachToken } from "./tokens.js";
import { surfaceOf } from "./words.js";

/** How far into a text is looked for how words are written: bounds the cost to a fraction of a millisecond. */
const examinedCharacters = 10_000;

/**
 * How a word of the vocabulary is written in these texts, which come from one document: in the form that occurs most
 * often near their beginning; folded where it does not occur there.
 */
export const writtenForm = (word: string, texts: readonly string[]): string =>
  writtenForms(new Set([word]), texts).get(word) ?? word;

/** The same for several words; those that do not occur are left out. */
function writtenForms(words: ReadonlySet<string>, texts: readonly string[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  const written = new Map<string, string>();
  for (const text of texts) {
    forEachToken(text, 0, Math.min(text.length, examinedCharacters), (start, end) => {
      const form = text.slice(start, end);
      if (words.has(surfaceOf(form)?.word.text ?? "")) times.set(form, (times.get(form) ?? 0) + 1);
    });
  }
  const most = new Map<string, number>();
  for (const [form, count] of times) {
    const word = surfaceOf(form)?.word.text ?? "";
    if (count <= (most.get(word) ?? 0)) continue;
    most.set(word, count);
    written.set(word, form);
  }
  return written;
}

/** What a word was typed as, and what it was taken for. */
interface Replaced {
  readonly from: string;
  /** Folded. */
  readonly to: string;
}

/** What is shown of a document. */
interface Readable {
  readonly title: string;
  readonly text: string;
}

/**
 * Distinct corrections with words as people write them: each as the first document writes it that holds it, so umlauts
 * and capitals are back; folded where none of these documents holds it.
 *
 * @param documents only what the person may see: their spellings are shown.
 */
export function correctionsAsWritten(
  corrected: readonly Replaced[],
  documents: readonly Readable[],
): readonly Replaced[] {
  const open = new Set(corrected.map(({ to }) => to));
  const written = new Map<string, string>();
  for (const { title, text } of documents) {
    if (open.size === 0) break;
    for (const [word, form] of writtenForms(open, [title, text])) {
      written.set(word, form);
      open.delete(word);
    }
  }
  const readable = corrected.map(({ from, to }) => ({ from, to: written.get(to) ?? to }));
  return [...new Map(readable.map((each) => [JSON.stringify([each.from, each.to]), each])).values()];
}
