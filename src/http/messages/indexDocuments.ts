import { createAssert, createValidate, json } from "typia";
import { failed, ok } from "../../shared/result.js";
import { boundedValidation, wrongShape } from "../validation/boundedValidation.js";
import { issuesOfEach, missing, notAnObject, valueError, type Issue, type Location } from "../validation/issue.js";
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
const validate = boundedValidation(createValidate<DocumentMessage>(), createAssert<DocumentMessage>(wrongShape));

/** The two forms of `POST /documents` (spec: Documents, 1). */
export type DocumentsBody =
  | { readonly form: "single"; readonly document: DocumentMessage }
  | { readonly form: "array"; readonly documents: readonly DocumentMessage[] };

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
  if (Array.isArray(documents)) return checkArray(input, documents);
  if (typeof documents !== "object" || documents === null) return failed([notAnObject(["body", "documents"])]);
  const outcome = validate(documents);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body", "documents"]));
  const issues = [...strayPermissions(input, ["body"]), ...shapeIssues(outcome.data, ["body", "documents"])];
  return issues.length === 0 ? ok({ form: "single", document: outcome.data }) : failed(issues);
}

/** One document after the other, until there is enough to tell: each may be wrong, and there may be a million. */
function checkArray(input: object, elements: readonly unknown[]): Checked<DocumentsBody> {
  const wrong = issuesOfEach(elements, (element, index) => {
    const outcome = validate(element);
    return outcome.success ? none : toIssues(outcome.errors, ["body", "documents", index]);
  });
  if (wrong.length > 0) return failed(wrong);
  const documents = elements as readonly DocumentMessage[];
  const issues = [
    ...strayPermissions(input, ["body"]),
    ...issuesOfEach(documents, (document, index) => shapeIssues(document, ["body", "documents", index])),
  ];
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
