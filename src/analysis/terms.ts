import { foldDigraphs, foldWord } from "./folding.js";
import type { Language } from "./language.js";
import { stem } from "./stems.js";

/** Longer tokens are cut on both sides: nobody types them, and they would fill the index. */
const longestWord = 64;

/**
 * A term says in which language its word was stemmed, so that German `die` and English `die` are counted apart and each
 * language ranks as if it were alone in the index. Words that are not plain letters are no one's.
 */
const tags = { de: "d", en: "e", none: "x" } as const;

/** One surface as it is written, and what it becomes. Terms are made when they are first asked for. */
export class WordForms {
  private german: string | null = null;
  private english: string | null = null;
  private plain: string | null = null;
  /** For the caller's own marking: which document brought the word up last. */
  lastSeenIn = 0;

  /** @param word folded surface: the vocabulary's entry. The empty string where nothing is left of the surface. */
  constructor(readonly word: string) {}

  /** The term that a document in this language holds for the word. */
  in(language: Language | null): string {
    if (language === "de") return (this.german ??= this.make("de"));
    if (language === "en") return (this.english ??= this.make("en"));
    return (this.plain ??= tags.none + foldDigraphs(this.word));
  }

  private make(language: Language): string {
    return isStemmable(this.word) ? tags[language] + foldDigraphs(stem(this.word, language)) : this.in(null);
  }
}

const isStemmable = (word: string): boolean => /^[a-z]+$/.test(word);

/** Bounds the memory of the cache to about two times this many words. */
const wordsPerGeneration = 100_000;
let young = new Map<string, WordForms>();
let old = new Map<string, WordForms>();

/** The forms of a surface as it stands in a text. Remembers words that were used lately. */
export function formsOf(surface: string): WordForms {
  return young.get(surface) ?? remember(surface);
}

function remember(surface: string): WordForms {
  if (young.size >= wordsPerGeneration) {
    old = young;
    young = new Map();
  }
  // A slice keeps its whole text alive, so what is remembered is a copy of its own.
  const copy = Buffer.from(surface, "utf16le").toString("utf16le");
  const forms = old.get(copy) ?? new WordForms(foldWord(copy).slice(0, longestWord));
  young.set(copy, forms);
  return forms;
}

/** Every term under which documents of any language hold this word: to look a word up. */
export function termsOf(word: string): readonly string[] {
  const forms = formsOf(word);
  return forms.word === "" ? [] : [...new Set([forms.in("de"), forms.in("en"), forms.in(null)])];
}
