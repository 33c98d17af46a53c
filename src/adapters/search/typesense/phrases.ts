import type { AnalysedQuery } from "../../../analysis/analyseQuery.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";
import { engineTerm } from "./encoding.js";

/** Matches everything: for a query without quotes. */
const everything = "*";
/**
 * How long the engine may take for what a query matches. It counts the time for which a request waits for one of its
 * threads, so a shorter limit would cut ordinary questions off wherever many are asked at once.
 */
export const searchCutoffMs = 3_000;
const tags = ["x", "d", "e"] as const;

const quoted = (terms: readonly string[]): string => `"${terms.map(engineTerm).join(" ")}"`;

/** What a query demands and forbids, in the engine's own syntax, for documents of one language. */
export interface Demand {
  readonly required: readonly string[];
  readonly q: string;
}

/**
 * A query's phrases and exclusions, one demand per language in which they read differently. No document meets two of
 * them, because its terms carry its language.
 */
export function demandsOf({ phrases, excluded }: AnalysedQuery): readonly Demand[] {
  const forbidden = excluded
    .flatMap(({ sequences }) => sequences)
    .map((terms) => `-${terms.length === 1 ? engineTerm(terms.join("")) : quoted(terms)}`);
  if (phrases.length === 0) return [{ required: [], q: forbidden.join(" ") || everything }];
  const readings = tags.map((tag) => phrases.map((phrase) => quoted(sequenceIn(phrase, tag))));
  const distinct = new Map(readings.map((required) => [required.join(" "), required]));
  return [...distinct].map(([text, required]) => ({ required, q: [text, ...forbidden].join(" ") }));
}

/** The phrase as documents of this language hold it. Words of no language are tagged alike in all of them. */
function sequenceIn({ sequences }: QueryPhrase, tag: (typeof tags)[number]): readonly string[] {
  return sequences.find((terms) => terms.some((term) => term.startsWith(tag))) ?? sequences[0] ?? [];
}

/**
 * Searches that tell whether a demand can be met. The engine skips a phrase that it finds nowhere, and forgets earlier
 * ones where they do not go together. So each phrase, and each run of the first phrases, is asked for on its own.
 */
export function demandChecks(collection: string, { required }: Demand): readonly EngineSearch[] {
  const runs = required.map((_phrase, index) => required.slice(0, index + 1));
  const checks = [...runs, ...required.slice(1).map((phrase) => [phrase])];
  return checks.map((phrases) => ({
    collection,
    q: phrases.join(" "),
    query_by: "s",
    per_page: 0,
    prefix: false,
    num_typos: 0,
    search_cutoff_ms: searchCutoffMs,
  }));
}

/** What the engine has stopped looking for may exist. */
export const canBeMet = (answers: readonly EngineAnswer<unknown>[]): boolean =>
  answers.every((answer) => answer.found > 0 || answer.search_cutoff === true);
