import { mostRareWords, rareDocuments } from "../../../analysis/corrections.js";
import type { Correction } from "../../../readModels/search.js";
import type { OpenDocuments } from "./accessFilter.js";
import { engineTerm } from "./encoding.js";
import { toRunnable, type ReadWord, type RunnableWord } from "./queryWords.js";
import type { RareWord, Reading } from "./rareWords.js";
import { scored, type Run } from "./resultPages.js";
import type { TermStatistics } from "./termStatistics.js";

/** A word as it is run, and whether a document that holds it answers a part of the query. */
export interface AskedWord {
  readonly word: RunnableWord;
  readonly isAsked: boolean;
}

/** The words of a query as they are run. */
export interface QueryAsRead {
  readonly asked: readonly AskedWord[];
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
  /** Whether any is run as something else than what was typed. */
  readonly isReadAnew: boolean;
}

/** Words as they were typed. */
export const asTyped = (read: readonly ReadWord[]): QueryAsRead => readAs(read, [], []);

/** Words as they were typed, rare ones with what they may stand for. */
export function readAs(
  read: readonly ReadWord[],
  rare: readonly RareWord[],
  readings: readonly Reading[],
): QueryAsRead {
  const asked = read.flatMap(({ word, expansions, isAsked }): readonly AskedWord[] => {
    const reading = readings[rare.findIndex((one) => one.word === word)];
    const parts = (reading?.parts ?? []).map((part) => ({ word: toRunnable(word, [part]), isAsked: true }));
    const others = [reading?.apart ?? [], (reading?.corrections ?? []).map(({ expansion }) => expansion)].flat();
    const isStillAsked = isAsked && parts.length === 0;
    return [...parts, { word: toRunnable(word, [...expansions, ...others], isStillAsked), isAsked: isStillAsked }];
  });
  return {
    asked,
    corrected: rare.flatMap(({ word: { typed } }, index) =>
      (readings[index]?.corrections ?? []).map(({ to }) => ({ from: typed, to })),
    ),
    isReadAnew: readings.some(
      ({ parts, apart, corrections }) => apart !== null || parts.length + corrections.length > 0,
    ),
  };
}

/** Words that hardly any of the documents hold which were counted; null where counts leave it open. */
export function rareByCount(read: readonly ReadWord[], statistics: TermStatistics): readonly RareWord[] | null {
  const rare: RareWord[] = [];
  for (const { word, expansions } of read.filter(({ mayBeRead }) => mayBeRead)) {
    const terms = new Set(expansions.flatMap(({ ways }) => ways.map(({ term }) => term)));
    const counts = [...terms].map((term) => statistics.documentsWith(term));
    const documents = counts.reduce((sum, count) => sum + count, 0);
    if (counts.some((count) => count > rareDocuments)) continue;
    if (documents > rareDocuments) return null;
    rare.push({ word, documents });
  }
  return rare.slice(0, mostRareWords);
}

/**
 * Words that hardly any document holds that may be shown. Most words are seen often enough among the best already;
 * for the others documents are counted.
 */
export async function rareAmong(
  read: readonly ReadWord[],
  { plan, best, found }: Run,
  statistics: TermStatistics,
  visible: OpenDocuments,
): Promise<readonly RareWord[]> {
  // Where no demand can be met, nothing was looked for.
  const isAsked = plan.demands.length > 0 && plan.demands.every(({ q }) => q === "*");
  const isWhole = isAsked && found.every((documents) => documents <= scored);
  const seen = read.map(
    (_word, index) => best.filter(({ counts }) => counts[index]?.some((count) => count > 0) === true).length,
  );
  const few = read
    .map((one, index) => ({ ...one, documents: seen[index] ?? 0 }))
    .filter(({ documents, mayBeRead }) => mayBeRead && documents <= rareDocuments);
  if (isWhole || few.length === 0) return few.slice(0, mostRareWords);
  const documents = await statistics.documentsPassing(
    few.map(({ word, expansions }) => {
      const terms = expansions.flatMap(({ ways }) => ways.map(({ term }) => term));
      return `s:[${terms.join(",") || engineTerm(word.terms[0] ?? "")}]`;
    }),
    visible,
  );
  return few
    .map(({ word }, index) => ({ word, documents: documents[index] ?? 0 }))
    .filter((one) => one.documents <= rareDocuments)
    .slice(0, mostRareWords);
}
