import type { tags } from "typia";
import type { CustomProperty } from "../../events/document.js";

/** What search and metadata say of a document; never its access list. */
export interface DocumentCardAnswer {
  /** What the metadata endpoint takes as `document_id`. */
  id: string;
  title: string;
  datasource: string;
  data_source_sub: string | null;
  data_source_sub_sub: string | null;
  file_type: string;
  path: string | null;
  path_preview: string | null;
  author: string | null;
  last_modified: string | null;
}

/** One search result. */
export interface SearchResultAnswer extends DocumentCardAnswer {
  /** The best passage: matches in `<mark>`, everything else escaped for HTML. */
  snippet: string;
  /** Comparable within one answer alone. */
  score: number;
}

/** Answer of `GET /api/beta/search`. */
export interface SearchAnswer {
  results: SearchResultAnswer[];
  total: number;
  /** `eq`: `total` is exact; `gte`: there are at least so many. */
  total_relation: "eq" | "gte";
  count: number;
  start_page: number;
  /** With `as_of` or `as_user` alone: ISO instant as of when this was visible; null: before the first event. */
  as_of?: string | null;
  /** With `as_of` or `as_user` alone: position of the last event that counts. */
  as_of_position?: string;
  /** With `as_of` or `as_user` alone: to whom it was visible. */
  as_user?: string;
  /** With `as_of` or `as_user` alone: what such an answer can say, and what it cannot. */
  note?: string;
}

/** Answer of `GET /api/beta/document/metadata`. */
export interface DocumentMetadataAnswer extends DocumentCardAnswer {
  mime_type: string;
  /** Bytes of the body as it was sent. */
  size: number;
  custom_properties: CustomProperty[];
  indexed_at: string;
  /** Only where `include_text_content` is true. */
  text_content?: string;
}

/** One entry of the standard 422 envelope. */
export interface IssueAnswer {
  loc: (string | (number & tags.Type<"int32">))[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Request validation failed (422, standard envelope). */
export interface ValidationErrorAnswer {
  detail: IssueAnswer[];
}

/** Everything else that went wrong: one sentence. */
export interface ErrorAnswer {
  detail: string;
}

/** Service-layer schema validation failed (422). */
export interface SchemaErrorAnswer {
  status: "error";
  details: {
    error_code:
      | "NO_PROPERTY_DEFINITIONS"
      | "UNKNOWN_PROPERTY"
      | "INVALID_PROPERTY_TYPE"
      | "INVALID_DATA_SOURCE_SUB"
      | "INVALID_DATA_SOURCE_SUB_SUB"
      | "AMBIGUOUS_DATA_SOURCE_SUB_SUB";
    message: string;
  };
}

/** Answer of the health routes. */
export interface HealthAnswer {
  status: "alive" | "ready" | "starting";
}
