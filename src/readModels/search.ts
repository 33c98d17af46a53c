import { hash } from "node:crypto";
import type { CustomProperty } from "../events/document.js";
import type { FileFacts } from "../events/fileFacts.js";
import type { PrincipalToken } from "../shared/ids.js";
import type { Explanation } from "./explanation.js";
import type { SearchFacets } from "./facets.js";

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
  /** As typed. */
  readonly from: string;
  /** As the hits of the page write it most often; folded where none holds it. */
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
