import { writtenIn, WrittenRuns } from "./joinedForms.js";
import { forEachToken } from "./tokens.js";
import { surfaceOf } from "./words.js";

/**
 * How far into a document is looked for how words are written, in UTF-16 units; further for those that it surely holds.
 */
const examinedAnyway = 5_000;
const examinedAtMost = 100_000;
/** In all documents together: some milliseconds. */
const examinedInAll = 200_000;
/** In how many documents of each word it is looked for. */
export const writersOfWord = 5;

/**
 * Counts how documents write words of the vocabulary, which holds them folded, and joined where they are of several
 * tokens (`annabergfirmade`).
 */
export class WrittenForms {
  private readonly times = new Map<string, Map<string, number>>();
  private left = examinedInAll;

  /** @param words those of the vocabulary that are looked for. */
  constructor(words: Iterable<string>) {
    for (const word of words) this.times.set(word, new Map());
  }

  /** True where no further document will be examined. */
  get isExhausted(): boolean {
    return this.left <= 0;
  }

  /**
   * Examines the texts of one document, as far as that is cheap. `held` are those of the words that it surely holds.
   */
  examine(texts: readonly string[], held: Iterable<string> = []): void {
    const open = new Set(held);
    let room = examinedAtMost;
    for (const text of texts) {
      const end = this.examineText(text, Math.min(room, this.left), open);
      room -= end;
      this.left -= end;
    }
  }

  /** The form that was met most often, of equals the first; null: none was. */
  mostFrequent(word: string): string | null {
    let best: string | null = null;
    let most = 0;
    for (const [form, count] of this.times.get(word) ?? []) if (count > most) [best, most] = [form, count];
    return best;
  }

  /** Returns how far it went. */
  private examineText(text: string, most: number, open: Set<string>): number {
    const note = (word: string, form: string | null): void => {
      const forms = this.times.get(word);
      if (forms === undefined || form === null) return;
      forms.set(form, (forms.get(form) ?? 0) + 1);
      open.delete(word);
    };
    const runs = new WrittenRuns(
      text,
      (run) =>
        [...run.forms, ...run.within].forEach((word) => this.times.has(word) && note(word, writtenIn(text, run, word))),
      (number) => number.forms.forEach((word) => note(word, number.text)),
    );
    let examined = 0;
    forEachToken(text, 0, Math.min(text.length, most), (start, end) => {
      examined = end;
      runs.see(start, end);
      const form = text.slice(start, end);
      note(surfaceOf(form)?.word.text ?? "", form);
      return end > examinedAnyway && open.size === 0;
    });
    runs.end();
    return examined;
  }
}

/** A word of the vocabulary, and some of the documents that hold it. */
interface WordInDocuments<Id> {
  readonly word: string;
  readonly documents: readonly Id[];
}

/**
 * Which documents to examine for these words, and what each of them surely holds: one of every word, then the next of
 * each, so that what is examined first says something about all of them.
 */
export function examinedInTurns<Id>(words: readonly WordInDocuments<Id>[]): ReadonlyMap<Id, readonly string[]> {
  const turns = new Map<Id, string[]>();
  for (let turn = 0; turn < writersOfWord; turn += 1)
    for (const { word, documents } of words) {
      const document = documents[turn];
      if (document === undefined) continue;
      const held = turns.get(document);
      if (held === undefined) turns.set(document, [word]);
      else held.push(word);
    }
  return turns;
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
  /** What it is called besides: its author, its file. */
  readonly names?: readonly string[];
  readonly text: string;
}

/** What nobody writes: words that are put together with marks of our own. */
const innerForm = /[^\p{L}\p{N}\p{M}]/u;

/**
 * Distinct corrections with words as people write them: each in the form that these documents write most often, so
 * umlauts, capitals and hyphens are back; folded where none of them holds it, and left out where that reads like
 * nothing that anybody writes.
 *
 * @param documents only what the person may see: their spellings are shown.
 */
export function correctionsAsWritten(
  corrected: readonly Replaced[],
  documents: readonly Readable[],
): readonly Replaced[] {
  const forms = new WrittenForms(corrected.map(({ to }) => to));
  for (const { title, names = [], text } of documents) {
    if (forms.isExhausted) break;
    forms.examine([title, ...names, text]);
  }
  const readable = corrected.flatMap(({ from, to }) => {
    const form = forms.mostFrequent(to) ?? (innerForm.test(to) ? null : to);
    return form === null ? [] : [{ from, to: form }];
  });
  return [...new Map(readable.map((each) => [JSON.stringify([each.from, each.to]), each])).values()];
}
