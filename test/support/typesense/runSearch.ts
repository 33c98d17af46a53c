import { compileFilter, type Predicate } from "./filterBy.js";
import { Refusal, tokensOf, type Document, type Stored, type StoredCollection } from "./storedCollection.js";
import { typosIn } from "./typos.js";
import { nearestIn } from "./vectorQuery.js";

/** The parameters of a search that the double understands. */
export interface SearchParameters {
  readonly collection: string;
  readonly q: string;
  readonly query_by?: string;
  readonly filter_by?: string;
  readonly sort_by?: string;
  readonly per_page?: number;
  readonly page?: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly include_fields?: string;
  readonly exclude_fields?: string;
  readonly facet_by?: string;
  readonly max_facet_values?: number;
  readonly prefix?: boolean;
  readonly num_typos?: number;
  readonly min_len_1typo?: number;
  readonly min_len_2typo?: number;
  readonly search_cutoff_ms?: number;
  readonly vector_query?: string;
}

interface Match {
  readonly stored: Stored;
  readonly textMatch: number;
  /** Only where a vector was asked for. */
  readonly vectorDistance?: number;
}

const mostPerPage = 250;
const usualPage = 10;
const usualFacetValues = 10;

/** Runs one search as the engine does, as far as it goes: matching, filters, order, page, facets of numbers. */
export function runSearch(collection: StoredCollection, parameters: SearchParameters): Record<string, unknown> {
  const perPage = parameters.limit ?? parameters.per_page ?? usualPage;
  if (perPage > mostPerPage) throw new Refusal(422, "Only upto 250 hits can be fetched per page.");
  const place = placeOf(parameters);
  const offset = place.offset ?? ((place.page ?? 1) - 1) * perPage;
  const found = foundBy(collection, parameters, offset + perPage);
  const usualOrder = parameters.vector_query === undefined ? "_text_match:desc" : "_vector_distance:asc";
  const ordered = found.sort(orderBy(parameters.sort_by ?? usualOrder, collection));
  if (offset > collection.stored.size)
    throw new Refusal(500, "An offset beyond the collection: a real server reserves memory for all of it.");
  return {
    facet_counts: (parameters.facet_by ?? "")
      .split(",")
      .filter(Boolean)
      .map((name) => facet(name, found, collection, parameters.max_facet_values ?? usualFacetValues)),
    found: found.length,
    hits: ordered.slice(offset, offset + perPage).map(({ stored, vectorDistance }) => ({
      ...{ document: pruned(stored.document, parameters), highlight: {}, highlights: [] },
      ...(vectorDistance !== undefined && { vector_distance: vectorDistance }),
    })),
    ...place,
    out_of: collection.stored.size,
    request_params: {
      collection_name: collection.schema.name,
      first_q: parameters.q,
      per_page: perPage,
      q: parameters.q,
    },
    search_cutoff: false,
    search_time_ms: 0,
  };
}

/** @param fetched up to which place hits are asked for */
function foundBy(collection: StoredCollection, parameters: SearchParameters, fetched: number): Match[] {
  const { q, query_by: queryBy, filter_by: filterBy, vector_query: vectorQuery } = parameters;
  const filter: Predicate | null = filterBy ? compileFilter(filterBy, collection) : null;
  if (vectorQuery === undefined)
    return matching(collection, parameters).filter(({ stored }) => filter === null || filter(stored));
  if (q !== "*" || queryBy !== undefined) throw new Error("The double knows no search by words and vectors at once.");
  const filtered = filter && [...collection.stored.values()].filter(filter);
  return nearestIn(collection, vectorQuery, filtered, fetched).map(({ stored, distance }) => ({
    ...{ stored, textMatch: 0, vectorDistance: distance },
  }));
}

const placeOf = ({ offset, page = 1 }: SearchParameters): { readonly offset?: number; readonly page?: number } =>
  offset === undefined ? { page } : { offset };

function pruned(
  document: Document,
  { include_fields: included, exclude_fields: excluded }: SearchParameters,
): Record<string, unknown> {
  const wanted = included?.split(",");
  const unwanted = new Set(excluded?.split(","));
  return Object.fromEntries(
    Object.entries(document)
      .filter(([name]) => (wanted === undefined || wanted.includes(name)) && !unwanted.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function facet(
  name: string,
  found: readonly Match[],
  collection: StoredCollection,
  mostValues: number,
): Record<string, unknown> {
  if (collection.field(name)?.facet !== true)
    throw new Refusal(404, `Could not find a facet field named \`${name}\` in the schema.`);
  const values = found.flatMap(({ stored: { document } }) => document[name] ?? []);
  const numbers = values.filter((value): value is number => typeof value === "number");
  const sum = numbers.reduce((total, value) => total + value, 0);
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const stats =
    numbers.length === 0
      ? {}
      : { avg: sum / numbers.length, max: Math.max(...numbers), min: Math.min(...numbers), sum };
  return {
    counts: [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, mostValues)
      .map(([value, count]) => ({ count, highlighted: String(value), value: String(value) })),
    field_name: name,
    sampled: false,
    stats: { ...stats, total_values: counts.size },
  };
}

interface Query {
  readonly phrases: readonly (readonly string[])[];
  readonly excluded: readonly (readonly string[])[];
  readonly words: readonly string[];
}

function parseQuery(q: string): Query {
  const query = { phrases: [] as string[][], excluded: [] as string[][], words: [] as string[] };
  for (const [, minus, phrase, word] of q.matchAll(/(-)?(?:"([^"]*)"|(\S+))/g)) {
    const tokens = [...tokensOf(phrase ?? word ?? "")];
    if (minus !== undefined) query.excluded.push(tokens);
    else if (phrase !== undefined) query.phrases.push(tokens);
    else query.words.push(...tokens);
  }
  return query;
}

function matching(collection: StoredCollection, parameters: SearchParameters): Match[] {
  const { q, query_by: queryBy = "" } = parameters;
  const all = [...collection.stored.values()];
  if (q === "*") return all.map((stored) => ({ stored, textMatch: 0 }));
  const fields = queryBy.split(",");
  if (fields.some((name) => collection.field(name) === undefined))
    throw new Refusal(404, `Could not find a field named \`${queryBy}\` in the schema.`);
  const { phrases, excluded, words } = parseQuery(q);
  const isExcluded = (stored: Stored): boolean =>
    excluded.some((phrase) => fields.some((field) => holdsPhrase(stored.tokens.get(field) ?? [], phrase)));
  // The field that is named first weighs most.
  const inPhrases = fields.map((field) => meetingPhrases(all, field, phrases));
  const phraseScore = (stored: Stored): number =>
    Math.max(0, ...inPhrases.map((meeting, index) => (meeting.has(stored) ? fields.length - index : 0)));
  const candidates = all.filter((stored) => !isExcluded(stored) && (phrases.length === 0 || phraseScore(stored) > 0));
  if (words.length === 0) return candidates.map((stored) => ({ stored, textMatch: phraseScore(stored) }));
  const alike = words.map((word, index) =>
    wordsLike(word, fields, collection, {
      ...parameters,
      prefix: parameters.prefix !== false && index === words.length - 1,
    }),
  );
  return candidates.flatMap((stored) => {
    const scores = alike.map((matches) =>
      Math.max(
        0,
        ...fields.flatMap((field) => (stored.tokens.get(field) ?? []).map((token) => matches.get(token) ?? 0)),
      ),
    );
    return scores.every((score) => score > 0)
      ? [{ stored, textMatch: scores.reduce((sum, score) => sum + score, 0) }]
      : [];
  });
}

/**
 * As the engine has it: a phrase that is found nowhere is skipped, and what no document meets forgets the phrases
 * before it.
 */
function meetingPhrases(
  all: readonly Stored[],
  field: string,
  phrases: readonly (readonly string[])[],
): ReadonlySet<Stored> {
  let meeting = new Set<Stored>();
  for (const phrase of phrases) {
    const found = all.filter((stored) => holdsPhrase(stored.tokens.get(field) ?? [], phrase));
    if (found.length > 0) meeting = new Set(meeting.size === 0 ? found : found.filter((stored) => meeting.has(stored)));
  }
  return meeting;
}

const holdsPhrase = (tokens: readonly string[], phrase: readonly string[]): boolean =>
  tokens.some((_token, at) => phrase.every((word, index) => tokens[at + index] === word));

/**
 * The tokens of the fields that count as the word, with what each is worth: exact before prefix before misspelled, and
 * a misspelled whole before a misspelled prefix.
 */
function wordsLike(
  word: string,
  fields: readonly string[],
  collection: StoredCollection,
  { prefix = true, num_typos: typos = 2, min_len_1typo: forOne = 4, min_len_2typo: forTwo = 7 }: SearchParameters,
): ReadonlyMap<string, number> {
  const allowed = Math.min(typos, word.length < forOne ? 0 : word.length < forTwo ? 1 : 2);
  const alike = new Map<string, number>();
  for (const token of new Set(fields.flatMap((field) => collection.tokensIn(field)))) {
    const found = typosIn(word, token, allowed, prefix);
    if (found !== null) alike.set(token, 10 - 2 * found - Number(prefix && token !== word));
  }
  return alike;
}

type Order = (a: Match, b: Match) => number;

/** What a search is sorted by that is in no document. */
const ownOrders: Readonly<Record<string, (match: Match) => number>> = {
  _text_match: ({ textMatch }) => textMatch,
  _vector_distance: ({ vectorDistance = 0 }) => vectorDistance,
};

/** What one part of `sort_by` orders by, so that less comes first. */
function keyOf(part: string, collection: StoredCollection): (match: Match) => number {
  const [, name = "", missing, order] = /^(\w+)(?:\(missing_values: (first|last)\))?:(asc|desc)$/.exec(part) ?? [];
  if (!(name in ownOrders) && collection.field(name) === undefined)
    throw new Refusal(404, `Could not find a field named \`${name}\` in the schema for sorting.`);
  const sign = order === "desc" ? -1 : 1;
  const own = ownOrders[name];
  if (own !== undefined) return (match) => sign * own(match);
  // What has no value comes last in either direction.
  const without = missing === "first" ? -Infinity : Infinity;
  return ({ stored: { document } }) => (document[name] === undefined ? without : sign * Number(document[name]));
}

function orderBy(sortBy: string, collection: StoredCollection): Order {
  const [, evaluated, evalOrder, rest = sortBy] = /^_eval\(\[(.*)\]\):(asc|desc),?(.*)$/s.exec(sortBy) ?? [];
  const keys: ((match: Match) => number)[] = [];
  if (evaluated !== undefined) {
    const score = compileEval(evaluated, collection);
    keys.push(({ stored }) => (evalOrder === "desc" ? -1 : 1) * score(stored));
  }
  keys.push(
    ...rest
      .split(",")
      .filter(Boolean)
      .map((part) => keyOf(part, collection)),
  );
  if (keys.length > 3) throw new Refusal(422, "Only upto 3 sort_by fields can be specified.");
  const values = new Map<Match, readonly number[]>();
  const valuesOf = (match: Match): readonly number[] => {
    const known = values.get(match) ?? [...keys.map((key) => key(match)), -match.stored.sequence];
    values.set(match, known);
    return known;
  };
  return (a, b) => {
    const [left, right] = [valuesOf(a), valuesOf(b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
  };
}

/** Only the first condition that holds counts. */
function compileEval(expression: string, collection: StoredCollection): (stored: Stored) => number {
  const conditions = [...expression.matchAll(/\(([^()]*)\):(\d+)/g)].map(([, condition = "", score]) => ({
    holds: compileFilter(condition, collection),
    score: Number(score),
  }));
  if (conditions.length === 0) throw new Refusal(400, "The eval expression in sort_by is empty.");
  return (stored) => conditions.find(({ holds }) => holds(stored))?.score ?? 0;
}
