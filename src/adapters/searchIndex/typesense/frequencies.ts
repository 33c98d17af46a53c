import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { titleWeight } from "../../../analysis/rankingRules.js";
import { engineTerm } from "./encoding.js";

/** Terms whose frequency is stored: bounds what is fetched of each candidate to some ten kilobytes. */
const storedTerms = 1_000;
/** Terms that keep their order, for phrases; of what follows, each term is indexed once. */
const orderedTerms = 50_000;
/** Keeps phrases from spanning title and text. No term has one letter. */
const gap = "z";

/** The terms of a document as the engine holds them. */
export interface EngineTerms {
  readonly s: string;
  readonly s2: string;
  readonly tf: string;
  readonly cut: boolean;
  readonly len: number;
}

/** Turns an analysed document into what is indexed and stored of its terms. */
export function engineTermsOf({ title, body, titleLength, bodyLength }: AnalysedDocument): EngineTerms {
  const counts = new Map<string, number>();
  const inTitle = count(title, titleWeight, counts);
  const inBody = count(body, 1, counts);
  const ordered = [...inTitle, gap, ...inBody.slice(0, orderedTerms)];
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    s: (inBody.length > orderedTerms ? [...ordered, gap, ...new Set(inBody.slice(orderedTerms))] : ordered).join(" "),
    s2: frequent.filter(([, times]) => times > 1).map(([term]) => term).join(" "),
    tf: ` ${frequent.slice(0, storedTerms).map(([term, times]) => (times === 1 ? term : `${term}:${times}`)).join(" ")} `,
    cut: frequent.length > storedTerms,
    len: titleLength + bodyLength,
  };
}

function count(joined: string, weight: number, counts: Map<string, number>): readonly string[] {
  if (joined === "") return [];
  const terms = joined.split(" ").map(engineTerm);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
  return terms;
}

const blank = 0x20;
const colon = 0x3a;

/**
 * How often a term stands in a document, by its stored frequencies; 0 where they do not name it. All terms of a language
 * begin with the same letter, so it is their second one that is looked for.
 */
export function frequencyOf(term: string): (tf: string) => number {
  const first = term.charCodeAt(0);
  const rest = term.slice(1);
  return (tf) => {
    for (let at = tf.indexOf(rest); at >= 0; at = tf.indexOf(rest, at + 1)) {
      if (tf.charCodeAt(at - 1) !== first || tf.charCodeAt(at - 2) !== blank) continue;
      const end = at + rest.length;
      const next = tf.charCodeAt(end);
      if (next === blank) return 1;
      if (next === colon) return Number.parseInt(tf.slice(end + 1, end + 12), 10);
    }
    return 0;
  };
}
