import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { countedLength, titleWeight } from "../../../analysis/rankingRules.js";
import { termHash } from "../../../analysis/termHash.js";
import { termOfForm } from "../../../search/lexiconPages.js";
import { engineTerm } from "./encoding.js";
import type { DocumentRow } from "./rows.js";

/** For how many words the frequency is stored: bounds what is fetched of each candidate to 24 kilobytes. */
const storedWords = 4_000;

/** How many words keep their order, for phrases. From there on each word is indexed once. */
const orderedWords = 50_000;

/** Keeps phrases from spanning title and text. No word is a single letter. */
const gap = "z";

/** Begins the words of a long document: by it the engine tells them from others. */
export const longDocument = "zlong";

/** What of a document's words is indexed and stored. */
type EngineWords = Pick<DocumentRow, "w" | "w2" | "tf" | "cut" | "len" | "lang" | "pages">;

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

const packed = (counts: readonly (readonly [string, number])[]): string =>
  counts
    .map(([word, times]) => written(wordCode(word)) + digits.charAt(Math.min(times, mostCounted)))
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

/** Turns a document that was analysed as it is written into what is indexed and stored of its words. */
export function engineWordsOf({
  title,
  body,
  titleLength,
  bodyLength,
  language,
  passages,
}: AnalysedDocument): EngineWords {
  const counts = new Map<string, number>();
  const inTitle = count(title, titleWeight, counts);
  const inBody = count(body, 1, counts);
  const marks = passages.length > 0 ? [longDocument] : [];
  const ordered = [...marks, ...inTitle, gap, ...inBody.slice(0, orderedWords)];
  const rest = inBody.length > orderedWords ? [gap, ...new Set(inBody.slice(orderedWords))] : [];
  const engineWords = new Map([...counts].map(([form, times]) => [engineTerm(form), times] as const));
  const frequent = [...engineWords].sort((a, b) => b[1] - a[1]);
  return {
    w: [...ordered, ...rest].map(engineTerm).join(" "),
    w2: repeatedIn(counts).map(engineTerm).join(" "),
    tf: packed(frequent.slice(0, storedWords)),
    cut: frequent.length > storedWords,
    len: countedLength(titleLength + bodyLength),
    pages: passages.length,
    lang: language ?? "",
  };
}

/** How often a stem has to stand in a document for its words to be held as repeated. */
const repeated = 3;

/** The words whose stem stands there repeatedly, in whatever form. */
function repeatedIn(counts: ReadonlyMap<string, number>): readonly string[] {
  const byTerm = new Map<string, { times: number; readonly forms: string[] }>();
  for (const [form, times] of counts) {
    const term = termOfForm(form);
    const known = byTerm.get(term);
    if (known === undefined) byTerm.set(term, { times, forms: [form] });
    else {
      known.times += times;
      known.forms.push(form);
    }
  }
  return [...byTerm.values()].flatMap(({ times, forms }) => (times >= repeated ? forms : []));
}

function count(joined: string, weight: number, counts: Map<string, number>): readonly string[] {
  if (joined === "") return [];
  const forms = joined.split(" ");
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + weight);
  return forms;
}
