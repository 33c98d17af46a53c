import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { countedLength, titleWeight } from "../../../analysis/rankingRules.js";
import { termHash } from "../../../analysis/passagePages.js";
import type { Word } from "../../../analysis/words.js";
import type { Language } from "../../../shared/texts.js";
import { engineTerm } from "./encoding.js";
import type { DocumentRow } from "./schema.js";

/** For how many words the frequency is stored: bounds what is fetched of each candidate to 24 kilobytes. */
const storedWords = 4_000;

/** How many words keep their order, for phrases. From there on each word is indexed once. */
const orderedWords = 50_000;

/** Keeps phrases from spanning title and text. No word is a single letter. */
const gap = "z";

/** Begins the words of a long document: by it the engine tells them from others. */
export const longDocument = "zlong";

/** What of a document's words is indexed and stored. */
export type EngineWords = Pick<DocumentRow, "w" | "w2" | "tf" | "cut" | "len" | "lang" | "pages">;

/**
 * The words and how often each stands there, in ascending entries of equal length: five characters of the word's hash,
 * and one for its count (63 at most, which weighs as much as anything above). A pair of words shares the five
 * characters once in a billion.
 */
const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

const codeLength = 5;
const pieceLength = codeLength + 1;
const mostCounted = digits.length - 1;
const digitBits = 6;

const timesOf = new Uint8Array(128);
Array.from(digits, (digit, times) => (timesOf[digit.charCodeAt(0)] = times));

/** The part of a word's hash that is stored: 30 bits. */
export const wordCode = (word: string): number => termHash(word) % 2 ** (codeLength * digitBits);

function written(code: number): string {
  let text = "";
  for (let digit = codeLength - 1; digit >= 0; digit -= 1) text += digits.charAt((code >>> (digit * digitBits)) & 63);
  return text;
}

/** What the engine holds of a word of documents in one language. */
interface HeldWord {
  /** As the index holds it. */
  readonly text: string;
  /** Its hash as it is stored. */
  readonly code: string;
  readonly term: string;
}

/** It is made once a word and language. */
function heldIn(word: Word, language: Language | null): HeldWord {
  const held = (word.heldAs ??= []) as HeldWord[];
  return (held[languageNumber(language)] ??= makeHeld(word, language));
}

const heldOf = (words: readonly Word[], language: Language | null): readonly HeldWord[] =>
  words.map((word) => heldIn(word, language));

/** Numbers the languages that a document may have; 0: none was recognised. */
export const languageNumber = (language: Language | null): number =>
  language === null ? 0 : language === "de" ? 1 : 2;

function makeHeld(word: Word, language: Language | null): HeldWord {
  const text = engineTerm(word.writtenIn(language));
  return { text, code: written(wordCode(text)), term: word.termIn(language) };
}

interface CountedWord {
  readonly held: HeldWord;
  times: number;
}

const packed = (counted: readonly CountedWord[]): string =>
  counted
    .map(({ held, times }) => held.code + digits.charAt(Math.min(times, mostCounted)))
    .sort()
    .join("");

/** Visits the stored words by their codes, with how often each stands there. */
export function forEachFrequency(tf: string, visit: (code: number, times: number) => void): void {
  for (let at = 0; at < tf.length; at += pieceLength) {
    let code = 0;
    for (let digit = 0; digit < codeLength; digit += 1)
      code = (code << digitBits) | (timesOf[tf.charCodeAt(at + digit)] as number);
    visit(code, timesOf[tf.charCodeAt(at + codeLength)] as number);
  }
}

/** What is indexed and stored of a document's words. */
export function engineWordsOf(analysed: Omit<AnalysedDocument, "words">): EngineWords {
  const { titleLength, bodyLength, language, passages } = analysed;
  const [title, body] = [heldOf(analysed.title, language), heldOf(analysed.body, language)];
  const counts = new Map<string, CountedWord>();
  count(title, titleWeight, counts);
  count(body, 1, counts);
  const all = [...counts.values()];
  const frequent = all.length > storedWords ? all.toSorted((a, b) => b.times - a.times).slice(0, storedWords) : all;
  return {
    w: [...(passages.length > 0 ? [longDocument] : []), ...title.map(textOf), gap, ...inOrder(body)].join(" "),
    w2: repeatedIn(all).join(" "),
    tf: packed(frequent),
    cut: all.length > storedWords,
    len: countedLength(titleLength + bodyLength),
    pages: passages.length,
    lang: language ?? "",
  };
}

const textOf = ({ text }: HeldWord): string => text;

function inOrder(body: readonly HeldWord[]): readonly string[] {
  const ordered = body.slice(0, orderedWords).map(textOf);
  return body.length > orderedWords ? [...ordered, gap, ...new Set(body.slice(orderedWords).map(textOf))] : ordered;
}

function count(words: readonly HeldWord[], weight: number, counts: Map<string, CountedWord>): void {
  for (const held of words) {
    const known = counts.get(held.text);
    if (known === undefined) counts.set(held.text, { held, times: weight });
    else known.times += weight;
  }
}

/** How often a stem has to stand in a document for its words to be held as repeated. */
const repeated = 3;

/** The words whose stem stands there repeatedly, in whatever form. */
function repeatedIn(counted: readonly CountedWord[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { held, times: more } of counted) times.set(held.term, (times.get(held.term) ?? 0) + more);
  return counted.flatMap(({ held }) => ((times.get(held.term) ?? 0) >= repeated ? [held.text] : []));
}
