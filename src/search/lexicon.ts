import { shortestFirst } from "../analysis/completions.js";
import {
  countsInEnglish,
  headOf,
  isCompoundFrom,
  middleOf,
  partsAround,
  partsBeforeHead,
  partsSoughtBy,
  type OtherParts,
  type PlaceOfPart,
} from "../analysis/compoundWords.js";
import { allowedInPart, rankPartCorrections } from "../analysis/misspelledParts.js";
import { termHash } from "../analysis/passagePages.js";
import { allowedDistance, isOfLetters, rankCorrections, typoLookup } from "../analysis/vocabulary.js";
import { isCharacterTerm } from "../analysis/words.js";
import { sortedByWord, termOfForm, type LexiconEntry } from "./lexiconPages.js";

/** How many words a beginning is completed by at most. */
const mostCompleting = 300;
/** How many words that may hold a part of another one are looked through. */
const mostLookedThrough = 4_000;
/** How many words are near to another one at most, the nearest. */
const mostNear = 100;

const lastCharacter = "\u{10FFFF}";
const gramLength = 3;
/** Grams are kept in so many lists. */
const gramLists = 1 << 15;

/** A word, and the forms in which documents hold it: one for each language that it stands in. */
export interface LexiconWord {
  readonly word: string;
  readonly forms: readonly string[];
}

/** A word that another one may have been meant to be. */
export interface NearWord extends LexiconWord {
  readonly distance: number;
}

/** A word that holds another one, in the forms that count; `read`: what has to be known besides, for it to count. */
export interface PossibleCompound extends LexiconWord {
  readonly read: OtherParts | null;
}

/**
 * All words that documents hold, as they are written there, folded, in memory: which of them begin, end or go on as a
 * word of a query does, which share its stem, and which are near to it. It knows words of everybody's documents, so
 * what it proposes says nothing until documents that the person may see are found to hold it.
 */
export class Lexicon {
  private readonly pages = new Map<number, Page>();

  /** Adds or replaces a page. Takes some 100 ms for as many words as a page has at most. */
  put(number: number, entries: readonly LexiconEntry[]): void {
    this.pages.set(number, new Page(entries));
  }

  remove(number: number): void {
    this.pages.delete(number);
  }

  clear(): void {
    this.pages.clear();
  }

  /** The forms of this very word: one for each language that it stands in. */
  formsOfWord(word: string): readonly string[] {
    return distinct(this.fromPages((page) => page.formsOfWord(word)));
  }

  /** The forms that documents hold of this term. */
  formsOfTerm(term: string): readonly string[] {
    return isCharacterTerm(term) ? [term] : distinct(this.fromPages((page) => page.formsOfTerm(term)));
  }

  /** Words that begin with this one and go on, the shortest first. */
  completing(beginning: string, most = mostCompleting): readonly LexiconWord[] {
    const found: Place[] = [];
    for (const some of this.byLength([this.placesOf((page) => page.beginningWith(beginning))])) {
      if (found.length >= most) break;
      for (const { place } of some) if (place.word.length > beginning.length) found.push(place);
    }
    return inFull(found.slice(0, most));
  }

  /** Some words that begin with this one, or are it. */
  beginning(beginning: string, most: number): readonly LexiconWord[] {
    const places = this.fromPages((page) => Array.from(page.beginningWith(beginning, most), (n) => page.placeOf(n)));
    return inFull(places.slice(0, most));
  }

  /**
   * Words that end or begin with one of a query, or have it in their middle, as compounds do: the shortest first. No
   * more are looked for once `most` are compounds whatever else is known.
   */
  compoundsWith(
    { word, typed }: { readonly word: string; readonly typed: string },
    most = Infinity,
  ): readonly PossibleCompound[] {
    const sought = this.soughtParts(typed);
    const found = new Map<string, PossibleCompound>();
    let sure = 0;
    for (const ofLength of this.byLength(sought.map(({ places }) => places))) {
      for (const { place, list } of ofLength)
        if (place.word !== word && see(found, place, sought[list] as SoughtPart)) sure += 1;
      if (sure >= most) break;
    }
    return [...found.values()];
  }

  /** Words that this one may be a misspelling of, nearest first. */
  near(word: string): readonly NearWord[] {
    if (typoLookup(word) === null) return [];
    const allowed = allowedDistance(word);
    const candidates = distinct(this.fromPages((page) => page.alike(word, allowed)));
    const near = rankCorrections(
      word,
      candidates.map((candidate) => ({ word: candidate, documents: 0 })),
    );
    return this.withForms(near.slice(0, mostNear));
  }

  /** Compounds of which this word may be a misspelled part, nearest first. */
  nearParts(word: string): readonly NearWord[] {
    const allowed = allowedInPart(word);
    if (allowed === 0) return [];
    const pieces = piecesOf(word, allowed + 1);
    const beginning = this.placesOf((page) => page.beginningWith(pieces[0] ?? word));
    const letters = lettersOf(word);
    const lists = [beginning, ...pieces.map((piece) => this.holding(piece))];
    const places = lists.flatMap((list) => Array.from(list, (place) => this.placeAt(place)));
    const mayHold = ({ page, number }: Place): boolean => page.lacks(number, letters) <= allowed;
    const candidates = new Set(places.filter(mayHold).map((place) => place.word));
    return this.withForms(rankPartCorrections(word, [...candidates]).slice(0, mostNear));
  }

  private withForms(near: readonly { readonly word: string; readonly distance: number }[]): readonly NearWord[] {
    return near.map(({ word, distance }) => ({ word, distance, forms: this.formsOfWord(word) }));
  }

  private soughtParts(typed: string): readonly SoughtPart[] {
    const { heads, beginnings, middles } = partsSoughtBy(typed);
    return [
      ...beginnings.map((part): SoughtPart => {
        const readOf = (compound: string) => (isCompoundFrom(part, compound) ? asItIs : null);
        return { part, as: "beginning", places: this.placesOf((page) => page.beginningWith(part)), readOf };
      }),
      ...heads.map((part): SoughtPart => {
        const head = headOf(part) as string;
        const places = this.placesOf((page) => page.endingWith(head)).subarray(0, mostLookedThrough);
        return { part, as: "head", places, readOf: (compound) => partsBeforeHead(compound, head, part) };
      }),
      ...middles.map((part): SoughtPart => {
        const middle = middleOf(part) as string;
        return {
          part,
          as: "middle",
          places: this.holding(middle),
          readOf: (compound) => partsAround(compound, middle),
        };
      }),
    ];
  }

  /** Words of plain letters that have this in them, but at their very beginning; of very many the shortest. */
  private holding(part: string): Float64Array {
    if (part.length < gramLength) return new Float64Array();
    const grams = Array.from({ length: part.length - gramLength + 1 }, (_unused, at) => gramAt(part, at));
    const sizes = grams.map((gram) => [...this.pages.values()].reduce((sum, page) => sum + page.holdingGram(gram), 0));
    const rarest = grams[sizes.indexOf(Math.min(...sizes))] as number;
    return this.placesOf((page) => page.holding(part, rarest)).subarray(0, mostLookedThrough);
  }

  /** Where words stand, the shortest first: their lengths, pages and numbers, each in one number. */
  private placesOf(numbersIn: (page: Page) => readonly number[]): Float64Array {
    const places: number[] = [];
    for (const [page, words] of this.pages)
      for (const number of numbersIn(words))
        places.push((words.words[number] as string).length * placesPerLength + page * placesPerPage + number);
    return new Float64Array(places).sort();
  }

  private placeAt(place: number): Place {
    const page = this.pages.get(Math.floor((place % placesPerLength) / placesPerPage)) as Page;
    return page.placeOf(place % placesPerPage);
  }

  /** The places of these lists, those of each length together, by their words. */
  private *byLength(lists: readonly Float64Array[]): Generator<readonly ListedPlace[]> {
    const next = lists.map(() => 0);
    for (let length = 1; lists.some((places, list) => (next[list] as number) < places.length); length += 1) {
      const ofLength: ListedPlace[] = [];
      lists.forEach((places, list) => {
        const to = firstFrom(places, (length + 1) * placesPerLength);
        for (const place of places.subarray(next[list], to)) ofLength.push({ place: this.placeAt(place), list });
        next[list] = to;
      });
      yield ofLength.sort((a, b) => shortestFirst(a.place.word, b.place.word));
    }
  }

  private fromPages<Found>(look: (page: Page) => readonly Found[]): Found[] {
    return [...this.pages.values()].flatMap(look);
  }
}

/** A part of other words, and where words stand that may have it. */
interface SoughtPart {
  readonly part: string;
  readonly as: PlaceOfPart;
  /** See {@link Lexicon.placesOf}. */
  readonly places: Float64Array;
  /** What else a word is made of that has the part; null: it is no compound. */
  readOf(word: string): OtherParts | null;
}

/** Of a compound that is one whatever else is known. */
const asItIs: OtherParts = { parts: [], known: null };

/** Notes that a word may be a compound with this part; true where it is one now whatever else is known. */
function see(
  found: Map<string, PossibleCompound>,
  { word, page, number }: Place,
  { part, as, readOf }: SoughtPart,
): boolean {
  const known = found.get(word);
  const read = known?.read === null ? null : readOf(word);
  if (read === null) return false;
  const isCounted = (form: string): boolean => !form.startsWith(inEnglish) || countsInEnglish(part, as);
  const forms = [...(known?.forms ?? []), ...page.formsAt(number).filter(isCounted)];
  if (forms.length > 0) found.set(word, { word, forms, read: read.known === null ? null : read });
  return forms.length > 0 && read.known === null;
}

/** How the forms of English words begin. */
const inEnglish = "e";

/** A word where it stands. */
interface Place {
  readonly word: string;
  readonly page: Page;
  readonly number: number;
}

/** A place, and in which of several lists it stands. */
interface ListedPlace {
  readonly place: Place;
  readonly list: number;
}

/** More than words of a page, and more than places of words of one length. */
const [placesPerPage, placesPerLength] = [2 ** 17, 2 ** 40];

const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** Words with their forms, each once, in their order. */
function inFull(places: readonly Place[]): readonly LexiconWord[] {
  const words = new Map<string, readonly string[]>();
  for (const { word, page, number } of places) words.set(word, [...(words.get(word) ?? []), ...page.formsAt(number)]);
  return [...words].map(([word, forms]) => ({ word, forms }));
}

/** So many letters at the end of a head are kept as a number: five bits each, beside the number of a word. */
const [keptOfEnding, valuesOfLetter] = [7, 2 ** 5];

/** The last letters of a head as a number, backwards: heads that end alike follow each other. */
function endingCode(head: string): number {
  let code = 0;
  for (let at = 1; at <= keptOfEnding; at += 1)
    code = code * valuesOfLetter + (at > head.length ? 0 : head.charCodeAt(head.length - at) - 96);
  return code;
}

/** Cuts a word into so many pieces: with one error less than pieces, one of them is as it was meant. */
function piecesOf(word: string, pieces: number): readonly string[] {
  const length = Math.floor(word.length / pieces);
  return Array.from({ length: pieces }, (_unused, at) =>
    word.slice(at * length, at === pieces - 1 ? word.length : (at + 1) * length),
  );
}

const gramAt = (word: string, at: number): number =>
  (word.charCodeAt(at) * 961 + word.charCodeAt(at + 1) * 31 + word.charCodeAt(at + 2)) & (gramLists - 1);

/** Other words are no compounds. */
const plainLetters = /^[a-z]+$/;

/** The bit that letters other than a to z share. */
const otherLetters = 26;

/** The letters of a word as bits; others share one. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97;
    bits |= 1 << (letter >= 0 && letter < otherLetters ? letter : otherLetters);
  }
  return bits;
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Some of the words, sorted, with what they are found by. */
class Page {
  readonly words: readonly string[];
  private readonly tags: readonly string[];
  private readonly letters: Uint32Array;
  /** The hash of a term and the number of a word that has it, in one number; sorted. */
  private readonly byTerm: Float64Array;
  /** The {@link endingCode} of a word without its inflection and the number of the word, in one number; sorted. */
  private readonly byEnding: Float64Array;
  /** Where the list of each gram begins, and the numbers of the words that have it. */
  private readonly gramStarts = new Uint32Array(gramLists + 1);
  private readonly gramWords: Uint32Array;

  constructor(entries: readonly LexiconEntry[]) {
    const sorted = sortedByWord(entries);
    this.words = sorted.map(({ word }) => word);
    this.tags = sorted.map(({ terms }) => terms.map((term) => term.charAt(0)).join(""));
    this.letters = Uint32Array.from(this.words, lettersOf);
    this.byTerm = Float64Array.from(
      sorted.flatMap(({ terms }, number) => terms.map((term) => termHash(term) * numbersPerHash + number)),
    ).sort();
    this.byEnding = this.listEndings();
    this.gramWords = this.listGrams();
  }

  formsOfWord(word: string): readonly string[] {
    const number = this.firstFrom(word);
    return this.words[number] === word ? this.formsAt(number) : [];
  }

  formsOfTerm(term: string): readonly string[] {
    const { byTerm } = this;
    const hash = termHash(term);
    const forms: string[] = [];
    for (let at = firstFrom(byTerm, hash * numbersPerHash); at < byTerm.length; at += 1) {
      const entry = byTerm[at] as number;
      if (Math.floor(entry / numbersPerHash) !== hash) break;
      const form = term.charAt(0) + (this.words[entry % numbersPerHash] as string);
      if (termOfForm(form) === term) forms.push(form);
    }
    return forms;
  }

  /** The numbers of words that begin so, or are it. */
  beginningWith(beginning: string, most = Infinity): readonly number[] {
    const [from, to] = [this.firstFrom(beginning), this.firstFrom(beginning + lastCharacter)];
    const numbers: number[] = [];
    for (let number = from; number < to && numbers.length < most; number += 1) numbers.push(number);
    return numbers;
  }

  /** Words that may be within so many edits: a cheap look at their letters, lengths, and first letters. */
  alike(word: string, allowed: number): readonly string[] {
    const letters = lettersOf(word);
    const found: string[] = [];
    const from = this.firstFrom(word.charAt(0));
    const to = this.firstFrom(word.charAt(0) + lastCharacter);
    this.addAlike(found, { letters, length: word.length, allowed, from, to });
    // An error in the first letter counts as two.
    if (allowed > 1) {
      this.addAlike(found, { letters, length: word.length, allowed: 1, from: 0, to: from });
      this.addAlike(found, { letters, length: word.length, allowed: 1, from: to, to: this.words.length });
    }
    return found;
  }

  private addAlike(
    found: string[],
    { letters, length, allowed, from, to }: Record<"letters" | "length" | "allowed" | "from" | "to", number>,
  ): void {
    for (let number = from; number < to; number++) {
      const held = this.letters[number] as number;
      if (bitsIn((held ^ letters) >>> 0) > 2 * allowed) continue;
      const word = this.words[number] as string;
      if (Math.abs(word.length - length) > allowed) continue;
      if (held >>> otherLetters === 0 || isOfLetters(word)) found.push(word);
    }
  }

  /** How many of these letters a word does not have. */
  lacks(number: number, letters: number): number {
    return bitsIn((letters & ~(this.letters[number] as number)) >>> 0);
  }

  /** How many words have this gram, but at their very beginning. */
  holdingGram(gram: number): number {
    return (this.gramStarts[gram + 1] as number) - (this.gramStarts[gram] as number);
  }

  holding(part: string, gram: number): readonly number[] {
    const found: number[] = [];
    const letters = lettersOf(part);
    let last = -1;
    for (let at = this.gramStarts[gram] as number; at < (this.gramStarts[gram + 1] as number); at++) {
      const number = this.gramWords[at] as number;
      if (number === last || this.lacks(number, letters) > 0) continue;
      last = number;
      if ((this.words[number] as string).includes(part, 1)) found.push(number);
    }
    return found;
  }

  /** The numbers of words that end with this head, or are it, in whatever form. */
  endingWith(head: string): readonly number[] {
    const code = endingCode(head);
    const alike = valuesOfLetter ** Math.max(0, keptOfEnding - head.length);
    const from = firstFrom(this.byEnding, code * placesPerPage);
    const to = firstFrom(this.byEnding, (code + alike) * placesPerPage);
    const numbers = Array.from(this.byEnding.subarray(from, to), (entry) => entry % placesPerPage);
    if (head.length <= keptOfEnding) return numbers;
    return numbers.filter((number) => headOf(this.words[number] as string)?.endsWith(head));
  }

  placeOf(number: number): Place {
    return { word: this.words[number] as string, page: this, number };
  }

  formsAt(number: number): readonly string[] {
    return Array.from(this.tags[number] as string, (tag) => tag + (this.words[number] as string));
  }

  private listEndings(): Float64Array {
    const endings: number[] = [];
    this.words.forEach((word, number) => {
      const head = headOf(word);
      if (head !== null) endings.push(endingCode(head) * placesPerPage + number);
    });
    return Float64Array.from(endings).sort();
  }

  private listGrams(): Uint32Array {
    const { words, gramStarts } = this;
    const ends = words.map((word) => (plainLetters.test(word) ? word.length - gramLength : 0));
    words.forEach((word, number) => {
      for (let at = 1; at <= (ends[number] as number); at++) {
        const gram = gramAt(word, at);
        gramStarts[gram + 1] = (gramStarts[gram + 1] as number) + 1;
      }
    });
    for (let gram = 0; gram < gramLists; gram++)
      gramStarts[gram + 1] = (gramStarts[gram + 1] as number) + (gramStarts[gram] as number);
    const listed = new Uint32Array(gramStarts[gramLists] as number);
    const next = gramStarts.slice();
    words.forEach((word, number) => {
      for (let at = 1; at <= (ends[number] as number); at++) {
        const gram = gramAt(word, at);
        const place = next[gram] as number;
        listed[place] = number;
        next[gram] = place + 1;
      }
    });
    return listed;
  }

  /** The number of the first word that does not come before this one. */
  private firstFrom(word: string): number {
    return firstFrom(this.words, word);
  }
}

/** More than words of a page. */
const numbersPerHash = 2 ** 20;

/** The place of the first of sorted values that is not below this one. */
export function firstFrom<Value extends string | number>(values: ArrayLike<Value>, value: Value): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as Value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
