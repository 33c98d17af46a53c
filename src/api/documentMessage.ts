import { createAssert, createIs, createValidate, json, type tags } from "typia";
import { failed, ok } from "../shared/result.js";
import {
  boundedValidation,
  wrongShape,
  answerMessage,
  eitherOf,
  withoutOtherKeys,
  type Checked,
  unnamed,
  toIssues,
} from "../http/validation/message.js";
import {
  missing,
  notAnObject,
  tooMany,
  valueError,
  type Issue,
  type Location,
  extraForbidden,
  issuesOfEach,
  tooShort,
  issue,
  tooLong,
} from "../http/validation/issue.js";
import type { DocumentIdText, DatasourceReference, EmailText } from "../http/messages/names.js";
import { type MaxCharacters, isLongerThan } from "../http/validation/characters.js";
import type { DocumentOutcome, IndexedDocument } from "../../commands/commands.js";
import { distanceWithin } from "../shared/editDistance.js";
import { toEmail, toGroupName } from "../shared/ids.js";
import { parseInstant } from "../shared/instant.js";
import { readBase64 } from "../http/validation/base64.js";
import { unstorableText } from "../http/validation/strictJson.js";

/** Body of `POST /documents` for one document. */
interface IndexDocumentMessage {
  documents: DocumentMessage;
}

/** Body of `POST /documents` for many. */
interface IndexDocumentsMessage {
  documents: DocumentMessage[];
}

export const indexDocumentsMessage = withoutOtherKeys(
  eitherOf(answerMessage(json.schema<IndexDocumentMessage>()), answerMessage(json.schema<IndexDocumentsMessage>())),
  ["PermissionsMessage", "AllowedUserMessage"],
);

const validate = boundedValidation(createValidate<DocumentMessage>(), createAssert<DocumentMessage>(wrongShape));
const isDocument = createIs<DocumentMessage>();

/** An element of an array that has not the shape of a document. */
export class IllShapedDocument {
  /** The `id` as it was sent, as far as it is short; empty where there is no text. */
  readonly id: string;
  /** Whether that could be a document's id. */
  readonly isNamed: boolean;

  /** @param issues what is wrong, `loc` counted from the document. */
  constructor(
    sent: unknown,
    readonly issues: readonly Issue[],
  ) {
    const { id } = (sent ?? {}) as { readonly id?: unknown };
    this.isNamed = isDocumentId(id);
    this.id = typeof id === "string" && id.length <= longestEcho ? id : "";
  }
}

const isDocumentId = createIs<DocumentIdText>();
const longestEcho = 200;

/** The two forms of `POST /documents` (spec: Documents, 1). */
type DocumentsBody =
  | { readonly form: "single"; readonly document: DocumentMessage }
  | { readonly form: "array"; readonly documents: readonly (DocumentMessage | IllShapedDocument)[] };

/**
 * Checks the shape of the parsed body of `POST /documents`: what the published schema says, and the keys of
 * permissions. Each document of an array has its own result (spec: Documents, rules 2 to 4). `documentFaults` checks
 * the values.
 */
export function checkDocumentsBody(input: unknown): Checked<DocumentsBody> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return failed([notAnObject(["body"])]);
  const { documents } = input as { documents?: unknown };
  if (documents === undefined) return failed([missing(["body", "documents"])]);
  // The two forms are told apart here: validating a union would report the other form's errors too.
  if (Array.isArray(documents)) return checkArray(input, documents);
  if (typeof documents !== "object" || documents === null) return failed([notAnObject(["body", "documents"])]);
  const outcome = validate(documents);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body", "documents"]));
  const issues = [...strayPermissions(input, ["body"]), ...shapeIssues(outcome.data, ["body", "documents"])];
  return issues.length === 0 ? ok({ form: "single", document: outcome.data }) : failed(issues);
}

/** Each is told of in the answer, which is made at once. */
const mostDocuments = 50_000;

/** The answer says of so many ill-shaped documents what is wrong with them. */
const mostTold = 1_000;

function checkArray(input: object, elements: readonly unknown[]): Checked<DocumentsBody> {
  const stray = strayPermissions(input, ["body"]);
  if (stray.length > 0) return failed(stray);
  if (elements.length > mostDocuments) return failed([tooMany(["body", "documents"], mostDocuments)]);
  let told = 0;
  const documents = elements.map((element): DocumentMessage | IllShapedDocument => {
    const issues = isDocument(element) ? shapeIssues(element, []) : null;
    if (issues?.length === 0) return element as DocumentMessage;
    told += 1;
    return new IllShapedDocument(element, told > mostTold ? notTold : (issues ?? issuesOf(element)));
  });
  return ok({ form: "array", documents });
}

function issuesOf(element: unknown): readonly Issue[] {
  const outcome = validate(element);
  return outcome.success ? none : toIssues(outcome.errors, []);
}

const notTold: readonly Issue[] = [valueError([], `the document is ill-shaped, as the ${mostTold} before it`)];

const none: readonly Issue[] = [];

function shapeIssues(document: DocumentMessage, loc: Location): readonly Issue[] {
  const wrongKeys = permissionKeyIssues(document, loc);
  const wrongBody = bodyIssue(document.body, [...loc, "body"]);
  const absent = document.custom_properties?.flatMap(({ value }, index) =>
    value === undefined ? [missing([...loc, "custom_properties", index, "value"])] : none,
  );
  if (wrongKeys.length === 0 && wrongBody === null && (absent === undefined || absent.length === 0)) return none;
  return [...wrongKeys, ...(wrongBody === null ? none : [wrongBody]), ...(absent ?? none)];
}

function bodyIssue({ binary_base64: binary, text_content: text }: BodyMessage, loc: Location): Issue | null {
  const hasBinary = binary !== undefined && binary !== null;
  const hasText = text !== undefined && text !== null;
  return hasBinary === hasText ? valueError(loc, "exactly one of text_content and binary_base64 must be given") : null;
}

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
type FileType = (typeof fileTypes)[number];

export const fileTypesAnswer = unnamed({ type: "array", items: { type: "string", enum: fileTypes } });

type KeyReference = string & MaxCharacters<64>;

/** Exactly one of `text_content` and `binary_base64` (spec: Body). */
interface BodyMessage {
  /** IANA media type, parameters allowed. */
  mime_type: string & tags.Pattern<"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+ *(;.*)?$"> & MaxCharacters<255>;
  /** Standard Base64 of the file; the service extracts its text. */
  binary_base64?: string | null;
  /** The text as it is to be searched. */
  text_content?: string | null;
}

/** A person who may see the document. */
interface AllowedUserMessage {
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
interface CustomPropertyMessage {
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
   * Left out or null: visible to every registered user of the datasource, or, where its `default_access` is `nobody`,
   * to no one.
   */
  permissions?: PermissionsMessage | null;
  custom_properties?: (CustomPropertyMessage[] & tags.MaxItems<256>) | null;
}

/** What became of one document. */
interface DocumentResult {
  document_id: string;
  outcome: "sent" | "already_indexed" | "skipped" | "failed";
  message: string;
}

/** Answer of `POST /documents` (spec: Document index result). */
interface DocumentIndexAnswer {
  status: "ok";
  /** Only for a single document. */
  datasource?: string;
  /** null for a single document. */
  documents_received: number | null;
  message: string;
  results: DocumentResult[];
}

export const documentIndexAnswer = answerMessage(json.schema<DocumentIndexAnswer>());

const toDocumentResult = ({ documentId, outcome, message }: IndexedDocument): DocumentResult => ({
  document_id: documentId,
  outcome,
  message,
});

/** The fixed sentence of the single form (spec: Document index result). */
const singleMessage = "document sent to the indexing pipeline.";

/**
 * The answer to the single form: names the datasource, counts nothing. What was not sent does not say that it was: then
 * the message is that of the document's result.
 */
export const toSingleIndexAnswer = (datasource: string, indexed: readonly IndexedDocument[]): DocumentIndexAnswer =>
  toSingleAnswer(datasource, indexed, indexed.find(({ outcome }) => outcome !== "sent")?.message ?? singleMessage);

/** The same for what was only decided. */
export const toSingleTrialAnswer = (datasource: string, indexed: readonly IndexedDocument[]): DocumentIndexAnswer =>
  toSingleAnswer(datasource, indexed, indexed[0]?.message ?? "");

const toSingleAnswer = (
  datasource: string,
  indexed: readonly IndexedDocument[],
  message: string,
): DocumentIndexAnswer => ({
  status: "ok",
  datasource,
  documents_received: null,
  message,
  results: indexed.map(toDocumentResult),
});

/** The answer to the array form: results in the order of the documents. */
export const toArrayIndexAnswer = (indexed: readonly IndexedDocument[]): DocumentIndexAnswer => {
  const count = (outcome: DocumentOutcome): number => indexed.filter((document) => document.outcome === outcome).length;
  return {
    status: "ok",
    documents_received: indexed.length,
    message: `${count("sent")} sent, ${count("already_indexed")} already indexed, ${count("skipped")} skipped, ${count("failed")} failed.`,
    results: indexed.map(toDocumentResult),
  };
};

/** How many edits a key may be from the one that was meant. */
const mostEdits = 2;

/** Whether a key is this one but for its case or two edits. */
function isMisspelt(key: string, known: string): boolean {
  if (key === known || Math.abs(key.length - known.length) > mostEdits) return false;
  return distanceWithin(key.toLowerCase(), known.toLowerCase(), mostEdits) !== null;
}

/** An issue for each key that is not one of these, with the one that may have been meant. */
function unknownKeyIssues(value: object, known: readonly string[], loc: Location): readonly Issue[] {
  return issuesOfEach(Object.keys(value), (key) => {
    if (known.includes(key)) return none;
    const meant = known.find((name) => isMisspelt(key, name));
    const clause = meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
    return [extraForbidden([...loc, key], clause)];
  });
}

const grants = ["allow_anonymous_access", "allowed_users", "allowed_groups"];
const ofUser = ["email"];

/**
 * What is wrong with the keys that say who may see a document, and with emails that name nobody. Other unknown keys are
 * ignored, but one of these that is mistyped would open the document to everybody registered, or grant nobody, in
 * silence.
 */
function permissionKeyIssues(document: DocumentMessage, loc: Location): readonly Issue[] {
  const { permissions } = document;
  const misplaced = [...strayPermissions(document, loc, true), ...strayPermissions(document.body, [...loc, "body"])];
  if (permissions === undefined || permissions === null) return misplaced;
  const users = issuesOfEach(permissions.allowed_users ?? [], (user, index) => {
    const place = [...loc, "permissions", "allowed_users", index];
    const unknown = unknownKeyIssues(user, ofUser, place);
    return toEmail(user.email) === "" ? [...unknown, tooShort([...place, "email"], 1)] : unknown;
  });
  const groups = issuesOfEach(permissions.allowed_groups ?? [], (name, index) =>
    toGroupName(name) === "" ? [tooShort([...loc, "permissions", "allowed_groups", index], 1)] : none,
  );
  return [...misplaced, ...unknownKeyIssues(permissions, grants, [...loc, "permissions"]), ...users, ...groups];
}

/** Keys that read like `permissions` where no such key is known. `isKnown`: it is known, in this spelling. */
function strayPermissions(value: object, loc: Location, isKnown = false): readonly Issue[] {
  const clause = isKnown ? "did you mean permissions?" : "permissions belong to a document";
  return issuesOfEach(Object.keys(value), (key) =>
    (key === "permissions" && !isKnown) || isMisspelt(key, "permissions")
      ? [extraForbidden([...loc, key], clause)]
      : none,
  );
}

/** A binary that was decoded before the body was parsed. */
export interface LiftedBinary {
  /** The number of bytes. */
  readonly length: number;
  /** null: there are more bytes than the service takes. */
  readonly bytes: Uint8Array | null;
}

/** How values of documents are looked at. */
export interface ValueRules {
  /** The most bytes of a binary, decoded. */
  readonly maxBinaryBytes: number;
  /** False: the body holds no text that would have to be looked at for NUL characters and unpaired surrogates. */
  readonly mayBeUnstorable: boolean;
  /** The lifted binaries, by the text that stands in the message in place of their Base64. */
  readonly lifted?: ReadonlyMap<string, LiftedBinary>;
}

const longestPropertyValue = 8_192;

/**
 * What is wrong with the values of a document whose shape is right, `loc` counted from the document: what no schema can
 * say. In an array it is this document's failure alone (spec: POST /documents, rules 2 and 4).
 */
export function documentFaults(
  document: DocumentMessage,
  { maxBinaryBytes, mayBeUnstorable, lifted }: ValueRules,
): readonly Issue[] {
  const unstorable = mayBeUnstorable ? unstorableText(document, []) : null;
  if (unstorable !== null) return [unstorable];
  const wrongBinary = binaryFault(document.body.binary_base64, maxBinaryBytes, lifted);
  const wrongDate = dateFault(document.last_modified);
  const wrongProperties = document.custom_properties ? propertyFaults(document.custom_properties) : none;
  if (wrongBinary === null && wrongDate === null && wrongProperties.length === 0) return none;
  return [wrongBinary, wrongDate, ...wrongProperties].filter((found) => found !== null);
}

/** The same fault of a request's only document. */
export const inSingleDocument = (fault: Issue): Issue => ({ ...fault, loc: ["body", "documents", ...fault.loc] });

/** A binary that decodes to more bytes than are taken. */
const oversizedBinary = (maxBinaryBytes: number): Issue =>
  issue(["body", "binary_base64"], "bytes_too_long", `Data should have at most ${maxBinaryBytes} bytes`, {
    max_length: maxBinaryBytes,
  });

function binaryFault(
  binary: string | null | undefined,
  maxBinaryBytes: number,
  lifted: ValueRules["lifted"],
): Issue | null {
  if (binary === undefined || binary === null) return null;
  const read = lifted?.get(binary) ?? readBase64(binary);
  if ("fault" in read)
    return valueError(["body", "binary_base64"], `binary_base64 must be standard Base64: ${read.fault}`);
  return read.length <= maxBinaryBytes ? null : oversizedBinary(maxBinaryBytes);
}

function dateFault(lastModified: string | null | undefined): Issue | null {
  if (lastModified === undefined || lastModified === null || parseInstant(lastModified) !== null) return null;
  return {
    ...issue(["last_modified"], "datetime_parsing", "Input should be a valid ISO 8601 date and time that exists"),
    input: lastModified,
  };
}

function propertyFaults(properties: readonly CustomPropertyMessage[]): readonly Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { name, value }] of properties.entries()) {
    const loc = ["custom_properties", index];
    // Nobody can tell which of two values of one property is meant.
    if (seen.has(name))
      issues.push(valueError([...loc, "name"], `the property ${JSON.stringify(name)} stands twice in one document`));
    seen.add(name);
    const wrong = valueFault(value, [...loc, "value"]);
    if (wrong !== null) issues.push(wrong);
  }
  return issues;
}

function valueFault(value: unknown, loc: Location): Issue | null {
  if (typeof value === "string" && isLongerThan(value, longestPropertyValue)) return tooLong(loc, longestPropertyValue);
  if (typeof value === "number" && !Number.isFinite(value))
    return issue(loc, "finite_number", "Input should be a finite number");
  return null;
}
