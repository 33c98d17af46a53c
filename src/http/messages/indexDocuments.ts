import { createValidate, json } from "typia";
import { failed, ok } from "../../shared/result.js";
import { missing, notAnObject, valueError, type Issue, type Location } from "../validation/issue.js";
import { answerMessage, eitherOf, withoutOtherKeys, type Checked } from "../validation/message.js";
import { toIssues } from "../validation/typiaIssues.js";
import type { BodyMessage, DocumentMessage } from "./documentMessage.js";
import { permissionKeyIssues, strayPermissions } from "./permissionKeys.js";

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
const validateOne = createValidate<IndexDocumentMessage>();
const validateMany = createValidate<IndexDocumentsMessage>();

/** The two forms of `POST /documents` (spec: Documents, 1). */
export type DocumentsBody =
  | { readonly form: "single"; readonly document: DocumentMessage }
  | { readonly form: "array"; readonly documents: readonly DocumentMessage[] };

const mostIssues = 100;

/**
 * Checks the shape of the parsed body of `POST /documents`: what the published schema says, and the keys of
 * permissions. One document of a wrong shape refuses the whole request, with its index in `loc`. What is wrong with
 * values is `documentFaults`' business, document by document.
 */
export function checkDocumentsBody(input: unknown): Checked<DocumentsBody> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return failed([notAnObject(["body"])]);
  const { documents } = input as { documents?: unknown };
  if (documents === undefined) return failed([missing(["body", "documents"])]);
  // The two forms are told apart here: validating a union would report the other form's errors too.
  if (Array.isArray(documents)) return checkArray(input);
  if (typeof documents !== "object" || documents === null) return failed([notAnObject(["body", "documents"])]);
  const outcome = validateOne(input);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
  const issues = [...strayPermissions(input, ["body"]), ...shapeIssues(outcome.data.documents, ["body", "documents"])];
  return issues.length === 0 ? ok({ form: "single", document: outcome.data.documents }) : failed(issues);
}

function checkArray(input: object): Checked<DocumentsBody> {
  const outcome = validateMany(input);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
  const { documents } = outcome.data;
  const issues: Issue[] = [...strayPermissions(input, ["body"])];
  for (let index = 0; index < documents.length && issues.length < mostIssues; index++) {
    const document = documents[index];
    if (document !== undefined) issues.push(...shapeIssues(document, ["body", "documents", index]));
  }
  return issues.length === 0 ? ok({ form: "array", documents }) : failed(issues);
}

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
