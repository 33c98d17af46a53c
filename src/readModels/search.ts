import { hash } from "node:crypto";
import { match } from "ts-pattern";
import type { CustomProperty, FileFacts } from "../events/document.js";
import type { PrincipalToken } from "../shared/ids.js";
import type { Explanation } from "./explanation.js";

/** A document's fields as the search collection serves them; never its access list. */
export interface HitSummary {
  /** `{datasource}__{document_id}`. */
  readonly id: string;
  readonly title: string;
  readonly datasource: string;
  /** null where the document names none, or one that was deleted since. */
  readonly sub: string | null;
  readonly childSub: string | null;
  readonly fileType: string;
  readonly path: string | null;
  readonly pathPreview: string | null;
  readonly author: string | null;
  readonly lastModified: string | null;
}

/** A stretch of a document's text. */
export interface TextPart {
  readonly text: string;
  /** How many the whole text has, at least one. */
  readonly parts: number;
}

export interface DocumentDetails extends HitSummary {
  readonly mimeType: string;
  /** Bytes of the body as the client sent it. */
  readonly size: number;
  /** Present where the text was taken out of a file. */
  readonly file?: FileFacts;
  readonly customProperties: readonly CustomProperty[];
  /** ISO instant of the event that the index holds. */
  readonly indexedAt: string;
}

export interface SearchHit extends HitSummary {
  /** Plain text, matches in `<mark>`, everything else escaped for HTML. */
  readonly snippet: string;
  readonly score: number;
  /** Only where it was asked for: up to about 2,000 characters of the text around what says most, without marks. */
  readonly passage?: string;
  /** Only where it was asked for. */
  readonly explanation?: Explanation;
}

/** The orders that hits can come in, in the API's words. Without `last_modified` a document comes last by that. */
export const searchOrders = ["relevance", "last_modified"] as const;

export type SearchOrder = (typeof searchOrders)[number];

/** A word of a query that no visible document holds, and a word that it was taken for. */
export interface Correction {
  /** The word as typed. */
  readonly from: string;
  /** The word as the hits of the page write it most often; folded where none holds it. */
  readonly to: string;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  /** `eq` while `total` is exact: up to 10,000. */
  readonly totalRelation: "eq" | "gte";
  /** Only where the search would have cost too much: the answer holds what was found until then. */
  readonly partial?: true;
  /** Only where nothing was found because there was no time to read: no answer to anybody. */
  readonly isUnread?: true;
  /** Only where they were asked for. */
  readonly facets?: SearchFacets;
  /** Only where words were corrected, distinct: quotes insist on them. */
  readonly corrected?: readonly Correction[];
  /** Only where the query excludes something: what no hit holds, as it was typed. */
  readonly excluded?: readonly string[];
  /** Only where a long query was not looked for as a whole: how many of its words were not, which tell least. */
  readonly wordsLeftOut?: number;
}

/** The kinds of files that a search can be narrowed to, in the order in which the API names them. */
export const searchFileTypes = [
  "pdf",
  "word",
  "powerpoint",
  "excel",
  "email",
  "directory",
  "html",
  "txt",
  "compressed",
  "image",
  "message",
  "task",
  "issue",
  "wiki",
  "news",
  "page",
  "onenote",
  "comment",
  "other",
] as const;

export type SearchFileType = (typeof searchFileTypes)[number];

/** One entry of the `data_source` filter, resolved to names that the index knows. */
export interface DatasourceFilter {
  readonly datasource: string;
  readonly sub: string | null;
  readonly childSub: string | null;
}

export interface SearchFilters {
  /** null: no filter. Entries are a union. An empty list matches nothing. */
  readonly datasources: readonly DatasourceFilter[] | null;
  readonly fileTypes: readonly SearchFileType[] | null;
  /** Epoch milliseconds, inclusive; null: open. A document without `last_modified` matches no window. */
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
}

/** The filters of a search that narrows nothing. */
export const everything: SearchFilters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

/** The tokens that a person holds, and a stamp that changes whenever they may have changed. */
export interface HeldTokens {
  /** Equal keys mean equal tokens: caches rely on it. */
  readonly key: string;
  readonly tokens: readonly PrincipalToken[];
}

/**
 * The tokens of a person, with their key, which is the same everywhere. Keep their order the same: the key depends on
 * it.
 */
export const toHeldTokens = (tokens: readonly PrincipalToken[]): HeldTokens => ({
  key: hash("sha256", tokens.join(), "base64url"),
  tokens,
});

/** What completes a search that is being typed. */
export interface Suggestion {
  /** What the search becomes. */
  readonly text: string;
  /** `title`: of a document; `word`: what was typed, its last word completed. */
  readonly kind: "title" | "word";
  /** The document of that title, as `{datasource}__{document_id}`; null for a word. */
  readonly id: string | null;
}

/** A title with its document. */
export interface SuggestedTitle {
  readonly title: string;
  readonly id: string;
}

/**
 * The suggestions in their order: titles, then words. Half of the places are kept for words, as far as there are any. A
 * word that reads like one of the titles is left out.
 */
export function toSuggestions(
  titles: readonly SuggestedTitle[],
  words: readonly string[],
  count: number,
): readonly Suggestion[] {
  const told = new Set(titles.map(({ title }) => title.toLowerCase()));
  const others = [...new Set(words)].filter((text) => !told.has(text.toLowerCase()));
  const places = count - Math.min(others.length, Math.floor(count / 2));
  const first = titles.slice(0, places);
  return [
    ...first.map(({ title, id }): Suggestion => ({ text: title, kind: "title", id })),
    ...others.slice(0, count - first.length).map((text): Suggestion => ({ text, kind: "word", id: null })),
  ];
}

/** What results can be counted by, in the API's words. */
export const facetFields = ["file_type", "datasource", "author", "last_modified"] as const;

export type FacetField = (typeof facetFields)[number];

/** A window of time with its word in the API. Epoch milliseconds, inclusive. */
export interface ModifiedWindow {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** The counts that a search is asked for beside its results. */
export interface FacetsAsked {
  readonly fields: readonly FacetField[];
  /** What `last_modified` is counted by. They may overlap. */
  readonly windows: readonly ModifiedWindow[];
}

/** How many documents have this value. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/**
 * How many of the documents that match, and that the person may see, have which value. A filter on the same field does
 * not count, so that one sees what else there would be; all other filters do.
 */
export interface SearchFacets {
  /** `gte`: it would have cost too much to count them all. */
  readonly relation: "eq" | "gte";
  /** The counts of the fields that were asked for. */
  readonly counts: Readonly<Partial<Record<FacetField, readonly FacetCount[]>>>;
}

/** How many values are listed at most, those of most documents. All windows of time are listed, also empty ones. */
const mostValues: Readonly<Record<FacetField, number>> = {
  file_type: 100,
  datasource: 100,
  author: 20,
  last_modified: Number.POSITIVE_INFINITY,
};

/** Values in the order in which they are told: those of most documents first, and among equals by their characters. */
export const mostFrequent = (field: FacetField, counts: Iterable<FacetCount>): readonly FacetCount[] =>
  [...counts]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues[field]);

/** The counts where nothing matches. */
export const noFacets = ({ fields, windows }: FacetsAsked): SearchFacets => ({
  relation: "eq",
  counts: Object.fromEntries(
    fields.map((field) => [
      field,
      field === "last_modified" ? windows.map(({ word }) => ({ value: word, count: 0 })) : [],
    ]),
  ),
});

/** The filters that count for a field: all but its own. */
export const withoutOwnFilter = (field: FacetField, filters: SearchFilters): SearchFilters =>
  match(field)
    .with("file_type", () => ({ ...filters, fileTypes: null }))
    .with("datasource", () => ({ ...filters, datasources: null }))
    .with("last_modified", () => ({ ...filters, modifiedFrom: null, modifiedTo: null }))
    .with("author", () => filters)
    .exhaustive();

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** A snippet without marks, and with nothing escaped: for clients that show no HTML. */
export const plainSnippet = (snippet: string): string =>
  snippet
    .replaceAll(/<\/?mark>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => characters[name] ?? entity);
