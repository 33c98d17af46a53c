import type { DocumentBody, IndexDocument } from "../../../commands/commands.js";
import type { DocumentAccess } from "../../events/document.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../../shared/ids.js";
import { failed, ok, type Result } from "../../shared/result.js";
import { checkDocumentsBody } from "../messages/indexDocuments.js";
import type { Issue } from "../validation/issue.js";
import type { BodyMessage, DocumentMessage, PermissionsMessage } from "../messages/documentMessage.js";
import { parseStrictJson } from "../validation/strictJson.js";
import type { DocumentsRequest, TextExtractor } from "../ports.js";

type Form = DocumentsRequest["form"];

/** Parsed and checked, texts not yet extracted. */
export interface CheckedDocuments {
  readonly form: Form;
  readonly messages: readonly DocumentMessage[];
}

/** Parses and checks the body of `POST /documents`. Takes time that grows with the body. */
export function checkDocuments(body: Buffer, maxBinaryBytes: number): Result<CheckedDocuments, readonly Issue[]> {
  const parsed = parseStrictJson(body);
  if (!parsed.ok) return parsed;
  const message = checkDocumentsBody(parsed.value, maxBinaryBytes);
  if (!message.ok) return failed(message.error);
  const { value } = message;
  return ok({ form: value.form, messages: value.form === "single" ? [value.document] : value.documents });
}

/**
 * Turns a checked document into its command: names typed, permissions normalized, a binary decoded and its text
 * extracted.
 */
export async function toIndexDocument(message: DocumentMessage, extractor: TextExtractor): Promise<IndexDocument> {
  return {
    datasource: toDatasourceName(message.datasource),
    documentId: toDocumentId(message.id),
    title: message.title,
    body: await toDocumentBody(message.body, extractor),
    fileType: message.file_type,
    pathPreview: message.path_preview ?? null,
    path: message.path ?? null,
    author: message.author ?? null,
    lastModified: message.last_modified ?? null,
    sub: message.data_source_sub ?? null,
    childSub: message.data_source_sub_sub ?? null,
    access: message.permissions === undefined ? null : toAccess(message.permissions),
    customProperties: message.custom_properties?.map(({ name, value }) => ({ name, value })) ?? [],
  };
}

/** Puts the commands of one body into the form that the body had. */
export function toDocumentsRequest(form: Form, documents: readonly IndexDocument[]): DocumentsRequest {
  const [document] = documents;
  return form === "single" && document !== undefined ? { form, document } : { form: "array", documents };
}

async function toDocumentBody(body: BodyMessage, extractor: TextExtractor): Promise<DocumentBody> {
  const [essence = "", ...parameters] = body.mime_type.split(";").map((part) => part.trim());
  const mimeType = essence.toLowerCase();
  if (typeof body.text_content === "string") {
    return { kind: "text", text: body.text_content, mimeType, size: Buffer.byteLength(body.text_content) };
  }
  const bytes = Buffer.from(body.binary_base64 ?? "", "base64");
  const extraction = await extractor.extract({ mimeType, charset: charsetOf(parameters), bytes });
  return extraction.kind === "text" ? { ...extraction, mimeType, size: bytes.length } : { ...extraction, mimeType };
}

function charsetOf(parameters: readonly string[]): string | null {
  const parameter = parameters.find((candidate) => /^charset\s*=/i.test(candidate));
  return (
    parameter
      ?.slice(parameter.indexOf("=") + 1)
      .trim()
      .replaceAll('"', "") ?? null
  );
}

function toAccess(permissions: PermissionsMessage): DocumentAccess {
  return {
    anonymous: permissions.allow_anonymous_access === true,
    users: distinct(
      (permissions.allowed_users ?? []).map(({ email }) => toEmail(email)).filter((email) => email !== ""),
    ),
    groups: distinct((permissions.allowed_groups ?? []).map(toGroupName)),
  };
}

/** Sorted by code units, which no locale changes. */
const distinct = <Text extends string>(texts: readonly Text[]): readonly Text[] =>
  texts.length < 2 ? texts : [...new Set(texts)].sort();
