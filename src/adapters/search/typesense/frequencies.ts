import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import type { Language } from "../../../shared/texts.js";
import { countedLength, titleWeight } from "../../../analysis/rankingRules.js";
import { termHash } from "../../../analysis/termHash.js";
import { engineSurface, engineTerm } from "./encoding.js";

/** For how many terms the frequency is stored: bounds what is fetched of each candidate to six kilobytes. */
const storedTerms = 1_000;

/** How many terms keep their order, for phrases. From there on each term is indexed once. */
const orderedTerms = 50_000;

/** Keeps phrases from spanning title and text. No term is a single letter. */
const gap = "z";

/** The terms of a document as the engine holds them. */
interface EngineTerms {
  readonly s: string;
  readonly s2: string;
  readonly w: string;
  readonly tf: string;
  readonly cut: boolean;
  readonly len: number;
  readonly lang: Language | "";
  readonly pages: number;
}

/**
 * The terms and how often each stands there, in ascending entries of equal length, so that a binary search finds a
 * term: five characters of its hash, and one for its count (63 at most, which weighs as much as anything above). A pair
 * of terms shares the five characters once in a billion. It is a third shorter than the terms themselves, most of which
 * differ from any term that is asked for.
 */
const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

const codeLength = 5;
const pieceLength = codeLength + 1;
const mostCounted = digits.length - 1;

function codeOf(term: string): string {
  let hash = termHash(term);
  let code = "";
  for (let digit = 0; digit < codeLength; digit += 1, hash >>>= 6) code += digits.charAt(hash & 63);
  return code;
}

/** Packs how often the terms stand there, for {@link frequencyOf}. */
const packed = (counts: readonly (readonly [string, number])[]): string =>
  counts
    .map(([term, times]) => codeOf(term) + digits.charAt(Math.min(times, mostCounted)))
    .sort()
    .join("");

const timesOf = new Map(Array.from(digits, (digit, times) => [digit.charCodeAt(0), times]));

/** How often a term stands in a document, by its stored frequencies; 0 where they do not name it. */
export function frequencyOf(term: string): (tf: string) => number {
  const code = codeOf(term);
  return (tf) => {
    let low = 0;
    let high = tf.length / pieceLength;
    while (low < high) {
      const middle = (low + high) >> 1;
      const difference = compareAt(tf, middle * pieceLength, code);
      if (difference === 0) return timesOf.get(tf.charCodeAt(middle * pieceLength + codeLength)) ?? 0;
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return 0;
  };
}

function compareAt(tf: string, at: number, code: string): number {
  for (let index = 0; index < codeLength; index += 1) {
    const difference = tf.charCodeAt(at + index) - code.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Turns an analysed document into what is indexed and stored of its terms. */
export function engineTermsOf({
  title,
  body,
  titleLength,
  bodyLength,
  words,
  language,
  passages,
}: AnalysedDocument): EngineTerms {
  const counts = new Map<string, number>();
  const inTitle = count(title, titleWeight, counts);
  const inBody = count(body, 1, counts);
  const ordered = [...inTitle, gap, ...inBody.slice(0, orderedTerms)];
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    s: (inBody.length > orderedTerms ? [...ordered, gap, ...new Set(inBody.slice(orderedTerms))] : ordered).join(" "),
    s2: frequent
      .filter(([, times]) => times > 1)
      .map(([term]) => term)
      .join(" "),
    w: words.map(({ text }) => engineSurface(text)).join(" "),
    tf: packed(frequent.slice(0, storedTerms)),
    cut: frequent.length > storedTerms,
    len: countedLength(titleLength + bodyLength),
    pages: passages.length,
    lang: language ?? "",
  };
}

function count(joined: string, weight: number, counts: Map<string, number>): readonly string[] {
  if (joined === "") return [];
  const terms = joined.split(" ").map(engineTerm);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
  return terms;
}
