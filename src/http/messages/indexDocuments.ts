import { createAssert, createIs, createValidate, json } from "typia";
import { failed, ok } from "../../shared/result.js";
import { boundedValidation, wrongShape } from "../validation/boundedValidation.js";
import { missing, notAnObject, valueError, type Issue, type Location } from "../validation/issue.js";
import { answerMessage, eitherOf, withoutOtherKeys, type Checked } from "../validation/message.js";
import { toIssues } from "../validation/typiaIssues.js";
import type { BodyMessage, DocumentMessage } from "./documentMessage.js";
import { permissionKeyIssues, strayPermissions } from "./permissionKeys.js";
import type { DocumentIdText } from "./texts.js";

/** Body of `POST /documents` for one document. */
export interface IndexDocumentMessage {
  documents: DocumentMessage;
}

/** Body of `POST /documents` for many. */
export interface IndexDocumentsMessage {
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
export type DocumentsBody =
  | { readonly form: "single"; readonly document: DocumentMessage }
  | { readonly form: "array"; readonly documents: readonly (DocumentMessage | IllShapedDocument)[] };

/**
 * Checks the shape of the parsed body of `POST /documents`: what the published schema says, and the keys of
 * permissions. Of an array each document is told by itself (spec: Documents, rules 2 to 4). What is wrong with values
 * is `documentFaults`' business.
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

/** Of how many ill-shaped documents it is told what is wrong with them: there may be a million. */
const mostTold = 1_000;

function checkArray(input: object, elements: readonly unknown[]): Checked<DocumentsBody> {
  const stray = strayPermissions(input, ["body"]);
  if (stray.length > 0) return failed(stray);
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
