import { createValidate, json } from "typia";
import { parseInstant } from "../../shared/instant.js";
import { failed, ok } from "../../shared/result.js";
import { decodedLength } from "../validation/base64.js";
import { isLongerThan } from "../validation/characters.js";
import { issue, missing, notAnObject, tooLong, valueError, type Issue, type Location } from "../validation/issue.js";
import { answerMessage, eitherOf, withoutOtherKeys, type Checked } from "../validation/message.js";
import { toIssues } from "../validation/typiaIssues.js";
import type { BodyMessage, CustomPropertyMessage, DocumentMessage } from "./documentMessage.js";
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

const longestPropertyValue = 8_192;
const mostIssues = 100;

/**
 * Checks the parsed body of `POST /documents`. One wrong document refuses the whole request, with its index in `loc`.
 */
export function checkDocumentsBody(input: unknown, maxBinaryBytes: number): Checked<DocumentsBody> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return failed([notAnObject(["body"])]);
  const { documents } = input as { documents?: unknown };
  if (documents === undefined) return failed([missing(["body", "documents"])]);
  // The two forms are told apart here: validating a union would report the other form's errors too.
  if (Array.isArray(documents)) return checkArray(input, maxBinaryBytes);
  if (typeof documents !== "object" || documents === null) return failed([notAnObject(["body", "documents"])]);
  const outcome = validateOne(input);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
  const issues = [
    ...strayPermissions(input, ["body"]),
    ...documentIssues(outcome.data.documents, ["body", "documents"], maxBinaryBytes),
  ];
  return issues.length === 0 ? ok({ form: "single", document: outcome.data.documents }) : failed(issues);
}

function checkArray(input: object, maxBinaryBytes: number): Checked<DocumentsBody> {
  const outcome = validateMany(input);
  if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
  const { documents } = outcome.data;
  const issues: Issue[] = [...strayPermissions(input, ["body"])];
  for (let index = 0; index < documents.length && issues.length < mostIssues; index++) {
    const document = documents[index];
    if (document !== undefined) issues.push(...documentIssues(document, ["body", "documents", index], maxBinaryBytes));
  }
  return issues.length === 0 ? ok({ form: "array", documents }) : failed(issues);
}

const none: readonly Issue[] = [];

function documentIssues(document: DocumentMessage, loc: Location, maxBinaryBytes: number): readonly Issue[] {
  const wrongKeys = permissionKeyIssues(document, loc);
  const wrongBody = bodyIssue(document.body, [...loc, "body"], maxBinaryBytes);
  const wrongDate = dateIssue(document.last_modified, [...loc, "last_modified"]);
  const wrongValues =
    document.custom_properties?.flatMap((property, index) =>
      valueIssues(property, [...loc, "custom_properties", index, "value"]),
    ) ?? none;
  const twice = repeatedNames(document.custom_properties ?? [], [...loc, "custom_properties"]);
  if (
    wrongKeys.length === 0 &&
    twice.length === 0 &&
    wrongBody === null &&
    wrongDate === null &&
    wrongValues.length === 0
  )
    return none;
  return [...wrongKeys, ...twice, wrongBody, wrongDate, ...wrongValues].filter((found) => found !== null);
}

/** Of two values of one property, nobody can tell which is meant. */
function repeatedNames(properties: readonly CustomPropertyMessage[], loc: Location): readonly Issue[] {
  if (properties.length < 2) return none;
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { name }] of properties.entries()) {
    if (seen.has(name))
      issues.push(
        valueError([...loc, index, "name"], `the property ${JSON.stringify(name)} stands twice in one document`),
      );
    seen.add(name);
  }
  return issues;
}

function bodyIssue(
  { binary_base64: binary, text_content: text }: BodyMessage,
  loc: Location,
  maxBinaryBytes: number,
): Issue | null {
  const hasBinary = binary !== undefined && binary !== null;
  const hasText = text !== undefined && text !== null;
  if (hasBinary === hasText) return valueError(loc, "exactly one of text_content and binary_base64 must be given");
  if (!hasBinary) return null;
  const bytes = decodedLength(binary);
  if (bytes === undefined) return valueError([...loc, "binary_base64"], "binary_base64 must be standard Base64");
  if (bytes <= maxBinaryBytes) return null;
  return issue([...loc, "binary_base64"], "bytes_too_long", `Data should have at most ${maxBinaryBytes} bytes`, {
    max_length: maxBinaryBytes,
  });
}

function dateIssue(lastModified: string | null | undefined, loc: Location): Issue | null {
  if (lastModified === undefined || lastModified === null || parseInstant(lastModified) !== null) return null;
  return {
    ...issue(loc, "datetime_parsing", "Input should be a valid ISO 8601 date and time that exists"),
    input: lastModified,
  };
}

function valueIssues(property: CustomPropertyMessage, loc: Location): readonly Issue[] {
  const { value } = property;
  if (value === undefined) return [missing(loc)];
  if (typeof value === "string" && isLongerThan(value, longestPropertyValue))
    return [tooLong(loc, longestPropertyValue)];
  if (typeof value === "number" && !Number.isFinite(value))
    return [issue(loc, "finite_number", "Input should be a finite number")];
  return none;
}
