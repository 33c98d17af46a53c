import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { newStoreMark, type Word } from "../../../analysis/words.js";
import type { Language } from "../../../shared/texts.js";
import { Lexicon } from "../../../search/lexicon.js";
import {
  decodePage,
  encodePage,
  entryOf,
  mergedEntries,
  mostOnPage,
  sortedByWord,
  type LexiconEntry,
} from "../../../search/lexiconPages.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import { languageNumber } from "./frequencies.js";
import type { CheckpointState, StateRow } from "./schema.js";

/** How many pages with room there are at most: then they are put together. */
const mostWithRoom = 32;
/** So many pages are read at one go: some megabytes. */
const pagesAtOnce = 4;

/** What a page says: its words, and which pages it stands for from now on. */
interface PageState {
  readonly words: string;
  readonly replaces: readonly number[];
}

const pageRowId = (number: number): string => `w${number}`;

/**
 * The search for pages behind this one, the first of them. Pages have their numbers below zero where other rows have
 * positions of the log: so the engine finds them without a look at the others.
 */
const pagesBehind = (collection: string, last: number): EngineSearch => ({
  ...{ collection, q: "*", filter_by: `v:<-${last}`, sort_by: "n:asc" },
  ...{ include_fields: "n,json", per_page: pagesAtOnce },
});

interface ReadPage {
  readonly number: number;
  readonly replaces: readonly number[];
  readonly entries: readonly LexiconEntry[];
}

type PageRow = Pick<StateRow, "n" | "json">;

const readPage = ({ n: number, json }: PageRow): ReadPage => {
  const { words, replaces } = JSON.parse(json) as PageState;
  return { number, replaces, entries: decodePage(words) };
};

/** Reads all pages behind this one, a few at a time, so that others have their turns. */
async function* storedPages(connection: TypesenseConnection, collection: string, after = 0): AsyncGenerator<ReadPage> {
  for (let last = after, isLast = false; !isLast;) {
    const [answer] = await connection.search<PageRow>([pagesBehind(collection, last)]);
    const rows = (answer?.hits ?? []).map(({ document }) => document);
    for (const row of rows) {
      yield readPage(row);
      await nextTurn();
    }
    last = rows.at(-1)?.n ?? last;
    isLast = rows.length < pagesAtOnce;
  }
}

/** The lexicon as a reader holds it, which follows the pages in the engine. */
export class FollowedLexicon {
  readonly lexicon = new Lexicon();
  /** The number of the last page that is known. */
  private last = 0;
  /** Of the collections whose pages are known; null: none was seen yet. */
  private generation: string | null = null;
  private opening: Promise<void> | null = null;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** Reads all pages, once. Rejects where the engine does not answer. */
  open(): Promise<void> {
    return (this.opening ??= this.readOn().catch((error: unknown) => {
      this.opening = null;
      throw error;
    }));
  }

  /** The search for the pages that are not known yet, to be asked beside others: mostly there are none. */
  newsSearch(): EngineSearch {
    return pagesBehind(this.collection, this.last);
  }

  /**
   * Takes over what {@link newsSearch} found under this state, reads what is behind it, and tells whether there was
   * anything. Where the collections were lost and made anew, their pages begin anew, too.
   */
  async take(answer: EngineAnswer<unknown> | undefined, { generation = "" }: CheckpointState): Promise<boolean> {
    const isAnew = this.generation !== null && this.generation !== generation;
    this.generation = generation;
    if (isAnew) {
      this.lexicon.clear();
      this.last = 0;
      await this.readOn();
      return true;
    }
    const rows = (answer?.hits ?? []).map(({ document }) => document as PageRow);
    for (const row of rows) this.add(readPage(row));
    if (rows.length < (answer?.found ?? 0)) await this.readOn();
    return rows.length > 0;
  }

  private async readOn(): Promise<void> {
    for await (const page of storedPages(this.connection, this.collection, this.last)) this.add(page);
  }

  private add({ number, replaces, entries }: ReadPage): void {
    this.lexicon.put(number, entries);
    for (const replaced of replaces) this.lexicon.remove(replaced);
    this.last = Math.max(this.last, number);
  }
}

/**
 * The lexicon as its writer holds it: which words are stored. Words that it has seen lately carry its mark. Pages that
 * have room left are put together now and then, into a new page that says so, before they go.
 */
export class LexiconRows {
  private mark = newStoreMark();
  /** The words that are stored, in the forms that documents hold; null: they have to be read. */
  private known: Set<string> | null = null;
  /** How many words the pages have, by their numbers. */
  private readonly sizes = new Map<number, number>();
  private last = 0;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** Stores what is not there yet of the words of these documents. */
  async add(documents: readonly Pick<AnalysedDocument, "words" | "language">[]): Promise<void> {
    const known = (this.known ??= await this.load());
    const unknown: LexiconEntry[] = [];
    for (const { words, language } of documents)
      for (const word of words) if (!this.isStored(word, language, known)) unknown.push(entryOf(word, language));
    const added = mergedEntries(unknown);
    for (let from = 0; from < added.length; from += mostOnPage)
      await this.write(added.slice(from, from + mostOnPage), []);
    for (const { words, language } of documents) for (const word of words) this.markStored(word, language, known);
    if (this.withRoom().length > mostWithRoom) await this.putTogether(this.withRoom());
  }

  /** Gives up what is remembered: it may no longer be true. */
  forget(): void {
    this.mark = newStoreMark();
    this.known = null;
  }

  private async load(): Promise<Set<string>> {
    const known = new Set<string>();
    this.sizes.clear();
    this.last = 0;
    for await (const { number, entries } of storedPages(this.connection, this.collection)) {
      for (const { word, terms } of entries) for (const term of terms) known.add(term.charAt(0) + word);
      this.sizes.set(number, entries.length);
      this.last = Math.max(this.last, number);
    }
    return known;
  }

  private withRoom(): readonly number[] {
    return [...this.sizes].flatMap(([number, words]) => (words < mostOnPage / 2 ? [number] : []));
  }

  private isStored(word: Word, language: Language | null, known: ReadonlySet<string>): boolean {
    if (word.storedIn === this.mark && (word.storedAs & bitOf(language)) !== 0) return true;
    return known.has(word.writtenIn(language));
  }

  private markStored(word: Word, language: Language | null, known: Set<string>): void {
    if (word.storedIn !== this.mark) word.storedAs = 0;
    if ((word.storedAs & bitOf(language)) === 0) known.add(word.writtenIn(language));
    word.storedIn = this.mark;
    word.storedAs |= bitOf(language);
  }

  private async write(entries: readonly LexiconEntry[], replaces: readonly number[]): Promise<void> {
    const number = this.last + 1;
    const state: PageState = { words: encodePage(entries), replaces };
    const row: StateRow = { id: pageRowId(number), kind: "words", v: -number, n: number, json: JSON.stringify(state) };
    await this.connection.write(this.collection, [row]);
    this.sizes.set(number, entries.length);
    this.last = number;
  }

  /** Puts pages together. The last of those that come of it says which it stands for, before they go. */
  private async putTogether(numbers: readonly number[]): Promise<void> {
    const filter = `id:=[${numbers.map(pageRowId).join(",")}]`;
    const rows = await this.connection.export<PageRow>(this.collection, filter);
    const entries = sortedByWord(mergedEntries(rows.flatMap((row) => readPage(row).entries)));
    for (let from = 0; from < entries.length; from += mostOnPage) {
      const isLast = from + mostOnPage >= entries.length;
      await this.write(entries.slice(from, from + mostOnPage), isLast ? numbers : []);
    }
    await this.connection.remove(this.collection, filter);
    for (const number of numbers) this.sizes.delete(number);
  }
}

const bitOf = (language: Language | null): number => 1 << languageNumber(language);
