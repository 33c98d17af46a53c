import type { tags } from "typia";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import type { FileType } from "./fileTypes.js";
import type { DatasourceReference, DocumentIdText, EmailText } from "./texts.js";

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
  /**
   * ISO 8601; without an offset it is UTC, and of a month, a week or a year its first moment. Answers tell it in UTC.
   * Where it and the permissions are unchanged, nothing is indexed again.
   */
  last_modified?: (string & MaxCharacters<64>) | null;
  data_source_sub?: KeyReference | null;
  /** Accepted without `data_source_sub` where its key is unique in the datasource. */
  data_source_sub_sub?: KeyReference | null;
  /**
   * Left out or null: visible to every registered user of the datasource, or, where its `default_access` is `nobody`, to
   * no one.
   */
  permissions?: PermissionsMessage | null;
  custom_properties?: (CustomPropertyMessage[] & tags.MaxItems<256>) | null;
}
