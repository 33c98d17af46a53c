import {
  compoundTerms,
  headOf,
  isCompoundFrom,
  middleKeyOf,
  middleOf,
  partsAround,
  partsBeforeHead,
  partsSoughtBy,
  mostCompoundsLookedUp,
  type CompoundWord,
  type OtherParts,
} from "../../../analysis/compoundWords.js";
import { canBeContinued, completionsInOrder, mostCompletions, shortestFirst } from "../../../analysis/completions.js";
import { partLookup, rankPartCorrections } from "../../../analysis/misspelledParts.js";
import { rankCorrections, typoLookup } from "../../../analysis/vocabulary.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { HeldWords } from "./heldWords.js";
import { hashOfKey } from "./vocabularyRows.js";
import type { Visibility } from "./visibility.js";

const mostNear = 40;
/** How many words that begin as a compound does are read at one go: one of the first mostly says enough. */
const wordsAtOnce = 8;
const lastCharacter = "\u{10FFFF}";

interface PossibleCompound extends CompoundWord {
  readonly read: OtherParts | null;
}

/** A word within the edits allowed. */
export interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/**
 * Looks words up in the vocabulary. A word that stands in none of the person's documents has no influence: not even the
 * bounds count it.
 */
export class VocabularyLookup {
  private readonly between;
  private readonly firstBetween;
  private readonly endings;
  private readonly middles;
  private readonly byKeys;
  private readonly beginningSo;
  private readonly endingSo;
  private readonly listed;

  constructor(
    database: SqliteDatabase,
    private readonly held: HeldWords,
  ) {
    this.between = database
      .prepare<[string, string], string>("SELECT word FROM words WHERE word > ? AND word < ?")
      .pluck();
    this.firstBetween = database
      .prepare<[string, string, number], string>("SELECT word FROM words WHERE word >= ? AND word < ? LIMIT ?")
      .pluck();
    this.endings = database
      .prepare<[string, string], string>("SELECT word FROM words WHERE ending > ? AND ending < ?")
      .pluck();
    this.middles = database
      .prepare<[string, string], string>(
        "SELECT DISTINCT words.word FROM word_middles JOIN words ON id = word_middles.word WHERE middle >= ? AND middle < ?",
      )
      .pluck();
    this.byKeys = database
      .prepare<[string], string>(
        "SELECT DISTINCT word FROM words WHERE id IN (SELECT word FROM typo_keys WHERE key IN (SELECT value FROM json_each(?)))",
      )
      .pluck();
    this.beginningSo = database
      .prepare<[string, string], string>(
        "SELECT DISTINCT word FROM json_each(?) AS edit CROSS JOIN words ON word >= edit.value AND word < edit.value || ?",
      )
      .pluck();
    this.endingSo = database
      .prepare<[string, string], string>(
        "SELECT DISTINCT word FROM json_each(?) AS edit CROSS JOIN words ON ending >= edit.value AND ending < edit.value || ?",
      )
      .pluck();
    this.listed = database
      .prepare<[string], string>("SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))")
      .pluck();
  }

  /**
   * The words among these that any document holds, be it one that the person cannot see: {@link open} tells which are
   * visible.
   */
  known(words: readonly string[]): ReadonlySet<string> {
    return new Set(words.length === 0 ? [] : this.listed.all(JSON.stringify(words)));
  }

  /** The words among these that any document of the person holds. */
  open(words: readonly string[], visibility: Visibility): ReadonlySet<string> {
    return new Set(this.firstOpen(words, words.length, visibility));
  }

  /** Words that begin with this one, the shortest first: what is most likely being typed. */
  completions(word: string, visibility: Visibility): readonly string[] {
    if (!canBeContinued(word)) return [];
    const inOrder = completionsInOrder(word, this.between.all(word, word + lastCharacter));
    return this.firstOpen(inOrder, mostCompletions, visibility);
  }

  /** Compounds that end or begin with this word, or have it in their middle, the shortest first. */
  compoundsWith(
    { word, typed }: { readonly word: string; readonly typed: string },
    visibility: Visibility,
  ): readonly CompoundWord[] {
    const { heads, beginnings, middles } = partsSoughtBy(typed);
    const holding = [
      ...heads.flatMap((head) => this.endingWith(head)),
      ...beginnings.flatMap((beginning) => this.beginningWith(beginning)),
      ...middles.flatMap((middle) => this.around(middle)),
    ];
    const compounds = holding
      .filter((compound) => compound.word !== word)
      .sort((a, b) => shortestFirst(a.word, b.word));
    const open: PossibleCompound[] = [];
    for (const compound of compounds) {
      if (open.length >= mostCompoundsLookedUp) break;
      if (this.held.isHeld(compound.word, visibility)) open.push(compound);
    }
    return open.filter((compound) => this.isSure(compound, visibility));
  }

  private endingWith(word: string): readonly PossibleCompound[] {
    const head = headOf(word);
    if (head === null) return [];
    const end = [...head].toReversed().join("");
    return this.endings.all(end, end + lastCharacter).flatMap((compound) => {
      const read = partsBeforeHead(compound, head, word);
      return read === null ? [] : [{ word: compound, terms: compoundTerms(compound, word, "head"), read }];
    });
  }

  private beginningWith(word: string): readonly PossibleCompound[] {
    return this.between
      .all(word, word + lastCharacter)
      .filter((compound) => isCompoundFrom(word, compound))
      .map((compound) => ({ word: compound, terms: compoundTerms(compound, word, "beginning"), read: null }));
  }

  private around(word: string): readonly PossibleCompound[] {
    const part = middleOf(word);
    if (part === null) return [];
    const key = middleKeyOf(part);
    return this.middles.all(key, key + lastCharacter).flatMap((compound) => {
      const read = partsAround(compound, part);
      return read === null ? [] : [{ word: compound, terms: compoundTerms(compound, word, "middle"), read }];
    });
  }

  /** Whether what has to be known of a compound is, by words that the person may see. */
  private isSure({ word: compound, read }: PossibleCompound, visibility: Visibility): boolean {
    if (read === null || read.known === null) return true;
    if (read.known === "beginning") return this.beginOtherWords(read.parts, compound, visibility);
    return read.parts.some((part) => this.held.isHeld(part, visibility));
  }

  private beginOtherWords(parts: readonly string[], compound: string, visibility: Visibility): boolean {
    const isOther = (word: string): boolean => !word.startsWith(compound) && this.held.isHeld(word, visibility);
    return parts.some((part) => this.someBeginWith(part, isOther));
  }

  private someBeginWith(beginning: string, isSought: (word: string) => boolean): boolean {
    for (let from = beginning; ;) {
      const words = this.firstBetween.all(from, beginning + lastCharacter, wordsAtOnce);
      if (words.some(isSought)) return true;
      if (words.length < wordsAtOnce) return false;
      from = `${words.at(-1)}\0`;
    }
  }

  /** Words that this one may be a misspelling of, nearest first. */
  near(word: string, visibility: Visibility): readonly NearWord[] {
    const candidates = this.sharingLetters(word).map((candidate) => ({ word: candidate, documents: 0 }));
    return this.openOf(rankCorrections(word, candidates), visibility);
  }

  /** Compounds of which this word may be a misspelled part, nearest first. */
  nearParts(word: string, visibility: Visibility): readonly NearWord[] {
    const lookup = partLookup(word);
    if (lookup === null) return [];
    const candidates = new Set([
      ...this.sharingLetters(word),
      ...this.beginningSo.all(JSON.stringify(lookup.beginnings), lastCharacter),
      ...this.endingSo.all(JSON.stringify(lookup.endings), lastCharacter),
    ]);
    return this.openOf(rankPartCorrections(word, [...candidates]), visibility);
  }

  /** Words with a typo key of this one, or with its first or last letters. */
  private sharingLetters(word: string): readonly string[] {
    const lookup = typoLookup(word);
    if (lookup === null) return [];
    const { keys, prefix, ending } = lookup;
    return [
      ...new Set([
        ...this.byKeys.all(JSON.stringify(keys.map(hashOfKey))),
        ...(prefix === null ? [] : this.between.all(prefix, prefix + lastCharacter)),
        ...(ending === null ? [] : this.endings.all(ending, ending + lastCharacter)),
      ]),
    ];
  }

  private openOf(near: readonly NearWord[], visibility: Visibility): readonly NearWord[] {
    const words = near.map(({ word }) => word);
    const open = new Set(this.firstOpen(words, mostNear, visibility));
    return near.filter(({ word }) => open.has(word));
  }

  private firstOpen(words: readonly string[], most: number, visibility: Visibility): readonly string[] {
    const open: string[] = [];
    for (const word of words) {
      if (open.length >= most) break;
      if (this.held.isHeld(word, visibility)) open.push(word);
    }
    return open;
  }
}
