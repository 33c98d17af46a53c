import { canBeContinued, likeliestCompletions, wordsLookedThrough } from "../../../analysis/completions.js";
import { rankCorrections, typoLookup } from "../../../analysis/vocabulary.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { hashOfKey } from "./typoKeyHash.js";

const mostNear = 40;
const lastCharacter = "\u{10FFFF}";

/** A word within the edits allowed. */
export interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/** Looks words up in the vocabulary, at a bounded cost. */
export class VocabularyLookup {
  private readonly between;
  private readonly byKeys;
  private readonly listed;

  constructor(database: SqliteDatabase) {
    this.between = database
      .prepare<[string, string, number], string>("SELECT word FROM words WHERE word > ? AND word < ? LIMIT ?")
      .pluck();
    this.byKeys = database
      .prepare<[string, number], string>(
        "SELECT DISTINCT word FROM words WHERE id IN (SELECT word FROM typo_keys WHERE key IN (SELECT value FROM json_each(?))) LIMIT ?",
      )
      .pluck();
    this.listed = database
      .prepare<[string], string>("SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))")
      .pluck();
  }

  /** Those of these words that any document has held. */
  known(words: readonly string[]): ReadonlySet<string> {
    return new Set(words.length === 0 ? [] : this.listed.all(JSON.stringify(words)));
  }

  /** Words that begin with this one, the shortest first: what is most likely being typed. */
  completions(word: string): readonly string[] {
    return canBeContinued(word)
      ? likeliestCompletions(word, this.between.all(word, word + lastCharacter, wordsLookedThrough))
      : [];
  }

  /** Words that this one may be a misspelling of, nearest first. */
  near(word: string): readonly NearWord[] {
    const lookup = typoLookup(word);
    if (lookup === null) return [];
    const words = this.byKeys.all(JSON.stringify(lookup.keys.map(hashOfKey)), wordsLookedThrough);
    const { prefix } = lookup;
    if (prefix !== null) words.push(...this.between.all(prefix, prefix + lastCharacter, wordsLookedThrough));
    return rankCorrections(
      word,
      [...new Set(words)].map((candidate) => ({ word: candidate, documents: 0 })),
    ).slice(0, mostNear);
  }
}
