import { canBeContinued, completionsInOrder, mostCompletions } from "../../../analysis/completions.js";
import { rankCorrections, typoLookup } from "../../../analysis/vocabulary.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { hashOfKey } from "./typoKeyHash.js";
import type { Visibility } from "./visibility.js";

const mostNear = 40;
const lastCharacter = "\u{10FFFF}";

/** A word within the edits allowed. */
export interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/**
 * Looks words up in the vocabulary. Of a word that stands in none of the person's documents it says nothing: not even
 * the bounds count it.
 */
export class VocabularyLookup {
  private readonly between;
  private readonly byKeys;
  private readonly listed;
  private readonly openRow;
  private visibility: Visibility | null = null;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    database.function("isOpen", (row: number) => this.isOpen(row));
    this.between = database
      .prepare<[string, string], string>("SELECT word FROM words WHERE word > ? AND word < ?")
      .pluck();
    this.byKeys = database
      .prepare<[string], string>(
        "SELECT DISTINCT word FROM words WHERE id IN (SELECT word FROM typo_keys WHERE key IN (SELECT value FROM json_each(?)))",
      )
      .pluck();
    this.listed = database
      .prepare<[string], string>("SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))")
      .pluck();
    this.openRow = database.prepare<[string], unknown>(
      "SELECT 1 FROM surfaces WHERE surfaces MATCH ? AND isOpen(rowid) LIMIT 1",
    );
  }

  /** Those of these words that any document holds, be it one that the person cannot see: ask {@link open} of them. */
  known(words: readonly string[]): ReadonlySet<string> {
    return new Set(words.length === 0 ? [] : this.listed.all(JSON.stringify(words)));
  }

  /** Those of these words that any document of the person holds. */
  open(words: readonly string[], visibility: Visibility): ReadonlySet<string> {
    return new Set(this.firstOpen(words, words.length, visibility));
  }

  /** Words that begin with this one, the shortest first: what is most likely being typed. */
  completions(word: string, visibility: Visibility): readonly string[] {
    if (!canBeContinued(word)) return [];
    const inOrder = completionsInOrder(word, this.between.all(word, word + lastCharacter));
    return this.firstOpen(inOrder, mostCompletions, visibility);
  }

  /** Words that this one may be a misspelling of, nearest first. */
  near(word: string, visibility: Visibility): readonly NearWord[] {
    const lookup = typoLookup(word);
    if (lookup === null) return [];
    const words = this.byKeys.all(JSON.stringify(lookup.keys.map(hashOfKey)));
    const { prefix } = lookup;
    if (prefix !== null) words.push(...this.between.all(prefix, prefix + lastCharacter));
    const near = rankCorrections(
      word,
      [...new Set(words)].map((candidate) => ({ word: candidate, documents: 0 })),
    );
    const open = new Set(
      this.firstOpen(
        near.map((candidate) => candidate.word),
        mostNear,
        visibility,
      ),
    );
    return near.filter((candidate) => open.has(candidate.word));
  }

  private firstOpen(words: readonly string[], most: number, visibility: Visibility): readonly string[] {
    this.visibility = visibility;
    const open: string[] = [];
    for (const word of words) {
      if (open.length >= most) break;
      if (this.openRow.get(`"${word}"`) !== undefined) open.push(word);
    }
    return open;
  }

  /** SQLite asks it for each row that holds the word, until one is open. */
  private isOpen(row: number): 0 | 1 {
    const slot = this.collection.slotOf(row, 0);
    return slot >= 0 && this.visibility?.opens(slot) === true ? 1 : 0;
  }
}
