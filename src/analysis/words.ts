import { characterEnd, lengthAt } from "./characters.js";
import { writtenNamesOf } from "./joinedForms.js";
import { foldDigraphs, foldWord } from "./folding.js";
import type { Language } from "../shared/texts.js";
import { evidenceOf, type LanguageEvidence } from "./languageEvidence.js";
import { otherBeginnings, stem } from "./stems.js";
import { forEachToken } from "./tokens.js";

/** Longer tokens are cut short in documents and queries alike: nobody types them, and they would fill the index. */
const longestWord = 64;

const stemmable = /^[a-z]+$/;

/**
 * A term says in which language its word was stemmed. So German `die` and English `die` are counted apart, and each
 * language ranks as if it were alone in the index. Words that are not of plain letters have no language. What a text
 * writes as one of several tokens (`Home-Office`, `INC-20411`) is counted apart from the word of the same letters.
 */
const tags = { de: "d", en: "e", none: "x", joined: "j" } as const;

/** A folded word and the terms it is indexed under. */
export class Word {
  private german: string | null = null;
  private english: string | null = null;
  private plain: string | null = null;
  /** For code that collects distinct words: the collection to which this word was last added. */
  collectedBy = 0;
  /** For code that stores a vocabulary: the {@link newStoreMark} of the store that holds this word. */
  storedIn = 0;
  /** Its number in that store, where the store numbers words. */
  storedAs = 0;
  /** For an engine that holds words in forms of its own: these, by the number of the document's language. */
  heldAs: unknown[] | null = null;

  /** @param isJoined whether its text is put together from several tokens: then it is one term in all languages. */
  constructor(
    readonly text: string,
    private readonly isJoined = false,
  ) {}

  /** The term that a document in this language holds for the word. It is made on first use. */
  termIn(language: Language | null): string {
    if (this.isJoined) return (this.plain ??= this.joinedTerm());
    if (language === "de") return (this.german ??= this.stemmed("de"));
    if (language === "en") return (this.english ??= this.stemmed("en"));
    return (this.plain ??= tags.none + foldDigraphs(this.text));
  }

  /**
   * The word as a document in this language holds it where it is not stemmed: with the letter of the language, so that
   * words of the same letters are counted apart as their terms are.
   */
  writtenIn(language: Language | null): string {
    if (this.isJoined) return tags.joined + this.text;
    return (language !== null && stemmable.test(this.text) ? tags[language] : tags.none) + this.text;
  }

  /** The terms under which documents of any language hold the word; distinct. */
  terms(): readonly string[] {
    return [...new Set([this.termIn("de"), this.termIn("en"), this.termIn(null), this.joinedTerm()])];
  }

  /** The term under which documents hold several tokens that are written as this one. */
  joinedTerm(): string {
    return tags.joined + foldDigraphs(this.text);
  }

  private stemmed(language: Language): string {
    return stemmable.test(this.text) ? tags[language] + foldDigraphs(stem(this.text, language)) : this.termIn(null);
  }
}

/** How many terms are joined at a time: a text of 100 MB needs no list of all its terms. */
const joinedTerms = 8_192;

/** The terms of words in their order, joined by spaces: for a column whose tokeniser is `ascii`. */
export function joinedTermsOf(words: readonly Word[], language: Language | null): string {
  let joined = "";
  for (let from = 0; from < words.length; from += joinedTerms) {
    const terms = words.slice(from, from + joinedTerms).map((word) => word.termIn(language));
    joined += (from === 0 ? "" : " ") + terms.join(" ");
  }
  return joined;
}

/** In no word: joined words are remembered beside the others. */
const joint = "+";

/** Whether documents hold this term for several tokens that are written as one: beside those of the tokens. */
export const isJoinedTerm = (term: string): boolean => term.startsWith(tags.joined);

/** How words may begin that have this term, folded. */
export function beginningsOf(term: string): readonly string[] {
  const text = term.slice(1);
  if (term.startsWith(tags.de)) return [text, ...otherBeginnings(text, "de")];
  return term.startsWith(tags.en) ? [text, ...otherBeginnings(text, "en")] : [text];
}

let storeMarks = 0;

/** A mark that nothing has had yet that marks words. */
export const newStoreMark = (): number => ++storeMarks;

/** A word as it stands in a text. */
export interface Surface {
  readonly word: Word;
  readonly evidence: LanguageEvidence;
}

/** The most surfaces that one half of the cache holds: some 20 MB. */
const maxSurfaces = 65_536;

interface CacheHalf {
  /** Keyed by token. */
  readonly surfaces: Map<string, Surface | null>;
  /** Keyed by text, so that surfaces that fold to the same share one word. */
  readonly words: Map<string, Word>;
}

const emptyHalf = (): CacheHalf => ({ surfaces: new Map(), words: new Map() });
let recent = emptyHalf();
let earlier = emptyHalf();

/** The surface of one token; null where folding leaves nothing of it. Remembers what was used lately. */
export function surfaceOf(token: string): Surface | null {
  const known = recent.surfaces.get(token);
  return known === undefined ? remember(token) : known;
}

function remember(slice: string): Surface | null {
  if (recent.surfaces.size >= maxSurfaces) {
    earlier = recent;
    recent = emptyHalf();
  }
  // A slice keeps its whole text alive, so the cache remembers a copy.
  const token = Buffer.from(slice, "utf16le").toString("utf16le");
  const known = earlier.surfaces.get(token);
  const surface = known === undefined ? make(token) : known;
  if (surface !== null) recent.words.set(surface.word.text, surface.word);
  recent.surfaces.set(token, surface);
  return surface;
}

function make(token: string): Surface | null {
  const text = cut(foldWord(token));
  if (text === "") return null;
  const word = recent.words.get(text) ?? earlier.words.get(text) ?? new Word(text);
  return { word, evidence: evidenceOf(token) };
}

/** Never cuts through a surrogate pair. */
const cut = (word: string): string =>
  word.length <= longestWord ? word : word.slice(0, longestWord - 1 + lengthAt(word, longestWord - 1));

/**
 * Adds the surfaces of a text, in order, and the words that several of its tokens are together: each once, or more
 * often.
 */
export function addSurfaces(text: string, surfaces: Surface[], joined: Set<Word> | null = null): void {
  const runs = writtenNamesOf(text, ({ forms }) => {
    for (const form of forms) joined?.add(joinedWordOf(form));
  });
  forEachToken(text, 0, text.length, (start, end) => {
    if (joined !== null) runs.see(start, end);
    const surface = surfaceOf(text.slice(start, end));
    if (surface !== null) surfaces.push(surface);
  });
  runs.end();
}

/** A word of the vocabulary, which is folded already. */
export const wordOf = (text: string): Word => recent.words.get(text) ?? earlier.words.get(text) ?? new Word(text);

/** What several tokens are called together; remembered as words are. */
export function joinedWordOf(text: string): Word {
  const key = tags.joined + joint + text;
  const word = recent.words.get(key) ?? earlier.words.get(key) ?? new Word(text, true);
  recent.words.set(key, word);
  return word;
}

/** In no word: a character by itself is told apart from a name of one character. */
const single = "·";

/** The character that begins a word of a script without spaces: documents hold it once, wherever it stands in them. */
export const characterWordOf = (word: string): Word => joinedWordOf(single + word.slice(0, characterEnd(word, 0)));

/** Whether a term is that of a single character. Documents hold it as it is. */
export const isCharacterTerm = (term: string): boolean => term.startsWith(tags.joined + single);

/** Every term under which documents of any language hold this word of the vocabulary. */
export const termsOf = (word: string): readonly string[] => wordOf(word).terms();
