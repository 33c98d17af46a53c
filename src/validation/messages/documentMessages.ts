import type { tags } from "typia";
import type { MaxCharacters } from "./maxCharacters.js";

/** Every value of `file_type`, in the spec's order. */
export const fileTypes = [
  "message",
  "merge_request",
  "issue",
  "wiki",
  "markdown",
  "blog",
  "content",
  "timeline",
  "email",
  "file",
  "directory",
  "email_parent",
  "issue_parent",
  "wiki_parent",
  "page",
  "merge_request_parent",
  "webpage",
  "asset",
] as const;

/** What a document is to its readers (spec: File types). */
export type FileType = (typeof fileTypes)[number];
/** Letters, digits, hyphen, underscore and dot; neither `.` nor anything with `..`. */
export type DocumentIdText = string & tags.Pattern<"^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9._-]+$"> & MaxCharacters<200>;
export type EmailText = string & tags.MinLength<1> & MaxCharacters<254>;
/** Refers to a datasource; an unknown one is the service's answer, not a matter of form. */
export type DatasourceReference = string & tags.MinLength<1> & MaxCharacters<64>;
type KeyReference = string & MaxCharacters<64>;

/** Exactly one of `text_content` and `binary_base64` (spec: Body). */
export interface BodyMessage {
  /** IANA media type, parameters allowed. */
  mime_type: string & tags.Pattern<"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+ *(;.*)?$"> & MaxCharacters<255>;
  /** Standard Base64 of the file; the service extracts its text. */
  binary_base64?: string | null;
  /** The text as it is to be searched. */
  text_content?: string | null;
}

/** A person who may see the document. */
export interface AllowedUserMessage {
  email: EmailText;
}

/** Several grants are a union. `{}` grants nobody (spec: Permissions block). */
export interface PermissionsMessage {
  /** true: every registered user of the datasource. */
  allow_anonymous_access?: boolean | null;
  allowed_users?: AllowedUserMessage[] | null;
  /** Group names; groups that do not exist yet grant nobody until they do. */
  allowed_groups?: (string & tags.MinLength<1> & MaxCharacters<128>)[] | null;
}

/** A value for a property that the datasource defines. */
export interface CustomPropertyMessage {
  name: string & tags.MinLength<1> & MaxCharacters<128>;
  /**
   * TEXT: a string of at most 8,192 characters; INTEGER: a number; DATE: epoch seconds (within ±8.64e12) or an ISO 8601
   * string; BOOLEAN: true or false.
   */
  value: unknown;
}

/** A document to be indexed (spec: Document). */
export interface DocumentMessage {
  datasource: DatasourceReference;
  /** Unique within the datasource; indexing it again replaces the document. */
  id: DocumentIdText;
  title: string & MaxCharacters<1024>;
  body: BodyMessage;
  file_type: FileType;
  /** URL that opens the document. */
  path_preview?: (string & MaxCharacters<2048>) | null;
  /** Breadcrumb for display. */
  path?: (string & MaxCharacters<2048>) | null;
  author?: (string & MaxCharacters<512>) | null;
  /** ISO 8601; without an offset it is UTC. Where it and the permissions are unchanged, nothing is indexed again. */
  last_modified?: (string & MaxCharacters<64>) | null;
  data_source_sub?: KeyReference | null;
  /** Accepted without `data_source_sub` where its key is unique in the datasource. */
  data_source_sub_sub?: KeyReference | null;
  /** Left out: visible to every registered user of the datasource. null is refused, since it may mean either. */
  permissions?: PermissionsMessage;
  custom_properties?: (CustomPropertyMessage[] & tags.MaxItems<256>) | null;
}

/** Body of `POST /documents` for one document. */
export interface IndexDocumentMessage {
  documents: DocumentMessage;
}

/** Body of `POST /documents` for many. */
export interface IndexDocumentsMessage {
  documents: DocumentMessage[];
}

/** Body of `POST /documents/check-access`. */
export interface CheckAccessMessage {
  datasource: DatasourceReference;
  document_id: DocumentIdText;
  user_email: EmailText;
}

/** What became of one document. */
export interface DocumentResult {
  document_id: string;
  outcome: "sent" | "already_indexed" | "skipped" | "failed";
  message: string;
}

/** Answer of `POST /documents` (spec: Document index result). */
export interface DocumentIndexAnswer {
  status: "ok";
  /** Only for a single document. */
  datasource?: string;
  /** null for a single document. */
  documents_received: number | null;
  message: string;
  results: DocumentResult[];
}

/** Answer of `POST /documents/check-access`. */
export interface CheckAccessAnswer {
  has_access: boolean;
  datasource: string;
  document_id: string;
  user_email: string;
}
