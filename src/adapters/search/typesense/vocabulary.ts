import { endingOf, middlesOf } from "../../../analysis/compoundWords.js";
import { newStoreMark, type Word } from "../../../analysis/words.js";
import { type TypesenseConnection, TypesenseFailure } from "./connection.js";
import { engineWord, shortHash } from "./encoding.js";

/** Longer words are more than anybody types: they are found whole, not by their beginning. */
const longestWord = 40;
const alreadyThere = 409;

/**
 * The folded words that documents have held, for beginnings and typing errors. Words that are known to be stored carry
 * its mark.
 */
export class Vocabulary {
  private mark = newStoreMark();

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  async add(words: Iterable<Word>): Promise<void> {
    const added = new Map<string, Word>();
    for (const word of words)
      if (word.storedIn !== this.mark && word.text.length <= longestWord) added.set(word.text, word);
    const rows = [...added.keys()].map((text) => ({
      id: shortHash(text),
      word: engineWord(text),
      ...partsIn(text),
      length: text.length,
      text,
    }));
    const outcomes = await this.connection.import(this.collection, rows, "create");
    const failed = outcomes.find(({ success, code }) => !success && code !== alreadyThere);
    if (failed !== undefined)
      throw new TypesenseFailure("Typesense did not take a word of the vocabulary.", failed.code ?? null);
    for (const word of added.values()) word.storedIn = this.mark;
  }

  /** Gives up all marks: they may no longer be true. */
  forget(): void {
    this.mark = newStoreMark();
  }
}

/** For compounds: the word's end, backwards, and what may begin in its middle. */
function partsIn(text: string): { readonly ending?: string; readonly middle?: string } {
  const ending = endingOf(text);
  const middles = middlesOf(text);
  return { ...(ending !== null && { ending }), ...(middles.length > 0 && { middle: middles.join(" ") }) };
}
