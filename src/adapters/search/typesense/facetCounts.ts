import {
  facetFields,
  mostFrequent,
  type FacetCount,
  type FacetField,
  type FacetsAsked,
  type ModifiedWindow,
  type SearchFacets,
} from "../../../readModels/search.js";
import type { Visibility } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";
import type { Directory } from "./directory.js";
import type { DocumentRow } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";

/** How many values of a field the engine is asked for, the most frequent first. */
const valuesAsked = 250;
/** For how many authors names are read: more than are told, so that equals come in the order of their names. */
const authorsNamed = 40;

/** The fields of the index by which is counted; times are counted by filters. */
const engineFields = { file_type: "type", datasource: "ds", author: "by" } as const;
type ListedField = keyof typeof engineFields;
const listedFields = facetFields.filter((field): field is ListedField => field in engineFields);

/** The searches for the documents that match under a filter, without order or page. */
type SearchesFor = (filter: string) => readonly EngineSearch[];
type Answers = readonly EngineAnswer<unknown>[];

/** Counts what a search found by file type, datasource, author and time: with the engine's facets, and by `found`. */
export class FacetCounts {
  constructor(
    private readonly served: ServedPosition,
    private readonly collection: string,
    private readonly directory: Directory,
  ) {}

  /** One request for all counts, and one for the names of authors. */
  async of({ fields, windows }: FacetsAsked, visibility: Visibility, searchesFor: SearchesFor): Promise<SearchFacets> {
    const questions = [
      ...listedQuestions(fields, visibility),
      ...(fields.includes("last_modified") ? windowQuestions(windows, visibility) : []),
    ].map(({ filter, asked, of }) => ({
      of,
      searches: filter === null ? [] : searchesFor(filter).map((search) => ({ ...search, ...asked })),
    }));
    const { answers } = await this.served.ask<unknown>(questions.flatMap(({ searches }) => searches));
    const counts = new Map<FacetField, FacetCount[]>(fields.map((field) => [field, []]));
    let from = 0;
    for (const { of, searches } of questions) {
      const answered = answers.slice(from, (from += searches.length));
      for (const [field, told] of of(answered)) counts.get(field)?.push(...told);
    }
    return {
      relation: answers.some((answer) => answer.search_cutoff === true) ? "gte" : "eq",
      counts: Object.fromEntries(
        await Promise.all(
          [...counts].map(async ([field, told]) => [field, await this.named(field, told, visibility)] as const),
        ),
      ),
    };
  }

  /** Counts with what people know a value by. What has got lost since has no name, and is left out. */
  private async named(
    field: FacetField,
    told: readonly FacetCount[],
    visibility: Visibility,
  ): Promise<readonly FacetCount[]> {
    if (field === "last_modified") return told;
    if (field === "file_type") return mostFrequent(field, told);
    const most = told.toSorted((a, b) => b.count - a.count);
    const names =
      field === "datasource"
        ? this.datasourceNames()
        : await this.authorNames(
            most.slice(0, authorsNamed).map(({ value }) => value),
            visibility,
          );
    return mostFrequent(
      field,
      most.flatMap(({ value, count }) => (names.has(value) ? [{ value: names.get(value) as string, count }] : [])),
    );
  }

  private datasourceNames(): ReadonlyMap<string, string> {
    const served = [...this.directory.datasources].filter(([, { status }]) => status === "served");
    return new Map(served.map(([key, { name }]) => [key, name]));
  }

  /** Read from documents that were counted: names of authors of others never leave the engine. */
  private async authorNames(keys: readonly string[], visibility: Visibility): Promise<ReadonlyMap<string, string>> {
    const filter = visibility.countedBy("author");
    if (filter === null) return new Map();
    const { answers } = await this.served.ask<Pick<DocumentRow, "by" | "author">>(
      keys.map((key) => ({
        collection: this.collection,
        q: "*",
        filter_by: `${filter} && by:=${key}`,
        include_fields: "by,author",
        per_page: 1,
      })),
    );
    const rows = answers.flatMap(({ hits }) => hits.map(({ document }) => document));
    return new Map(rows.flatMap(({ by, author }) => (by === undefined || author === undefined ? [] : [[by, author]])));
  }
}

/** A question to the engine under a filter, and what its answers say. */
interface CountQuestion {
  /** null: nothing can be counted. */
  readonly filter: string | null;
  readonly asked: Partial<EngineSearch>;
  of(answers: Answers): readonly (readonly [FacetField, readonly FacetCount[]])[];
}

/** Fields that are counted under the same filter are asked for together. */
function listedQuestions(fields: readonly FacetField[], visibility: Visibility): readonly CountQuestion[] {
  const byFilter = new Map<string | null, ListedField[]>();
  for (const field of listedFields.filter((listed) => fields.includes(listed))) {
    const filter = visibility.countedBy(field);
    byFilter.set(filter, [...(byFilter.get(filter) ?? []), field]);
  }
  return [...byFilter].map(([filter, asked]) => ({
    filter,
    asked: {
      facet_by: asked.map((field) => engineFields[field]).join(","),
      max_facet_values: valuesAsked,
      facet_strategy: "exhaustive",
      per_page: 0,
    },
    of: (answers) => asked.map((field) => [field, summed(answers, engineFields[field])] as const),
  }));
}

function windowQuestions(windows: readonly ModifiedWindow[], visibility: Visibility): readonly CountQuestion[] {
  const filter = visibility.countedBy("last_modified");
  return windows.map(({ word, from, to }) => ({
    filter: filter && `${filter} && modified:>=${Math.trunc(from)} && modified:<=${Math.trunc(to)}`,
    asked: { per_page: 0 },
    of: (answers) => [
      ["last_modified", [{ value: word, count: answers.reduce((sum, { found }) => sum + found, 0) }]] as const,
    ],
  }));
}

/** No document meets two demands of a query, so their counts add up. */
function summed(answers: Answers, engineField: string): readonly FacetCount[] {
  const counts = new Map<string, number>();
  for (const { facet_counts: facets = [] } of answers) {
    const told = facets.find(({ field_name: name }) => name === engineField)?.counts ?? [];
    for (const { value, count } of told) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}
