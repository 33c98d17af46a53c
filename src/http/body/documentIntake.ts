import type { DocumentBody, IndexDocument } from "../../../commands/commands.js";
import type { DocumentAccess } from "../../events/document.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../../shared/ids.js";
import { beginningOf } from "../../shared/cutText.js";
import { failed, ok, type Result } from "../../shared/result.js";
import { documentFaults, inSingleDocument, type ValueRules } from "../messages/documentFaults.js";
import { checkDocumentsBody, IllShapedDocument } from "../messages/indexDocuments.js";
import type { Issue } from "../validation/issue.js";
import type { DocumentMessage, PermissionsMessage } from "../messages/documentMessage.js";
import { parseJson, unstorableText } from "../validation/strictJson.js";
import type { DocumentsRequest, RefusedDocument } from "../ports.js";
import { holdsMarkup } from "../../shared/textFormat.js";
import { fileName } from "./fileName.js";
import { liftBinaries } from "./liftBinaries.js";

export type { ValueRules };

type Form = DocumentsRequest["form"];

/** Parsed, shape checked; values not yet looked at. */
export interface CheckedDocuments extends Pick<ValueRules, "mayBeUnstorable" | "lifted"> {
  readonly form: Form;
  readonly messages: readonly (DocumentMessage | IllShapedDocument)[];
}

/** A document as a command, or what is wrong with it: `loc` counted from the document. */
export type ReadDocument =
  | { readonly document: IndexDocument }
  | (Pick<RefusedDocument, "documentId" | "isNamed"> & { readonly faults: readonly Issue[] });

/** Parses the body of `POST /documents` and checks its shape. Takes time that grows with the body. */
export function checkDocuments(body: Buffer): Result<CheckedDocuments, readonly Issue[]> {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed;
  const { value: input, hasEscapes: mayBeUnstorable } = parsed.value;
  const stray = mayBeUnstorable ? unstorableBesideDocuments(input) : null;
  if (stray !== null) return failed([stray]);
  const message = checkDocumentsBody(input);
  if (!message.ok) return message;
  const { value } = message;
  return ok({
    form: value.form,
    messages: value.form === "single" ? [value.document] : value.documents,
    mayBeUnstorable,
  });
}

/**
 * The same for a large body in blocks: of its large binaries each is held once, decoded, and not as a text as well.
 * What is wrong with the body is told of the body as it came.
 */
export function checkLargeDocuments(
  blocks: readonly Buffer[],
  maxBinaryBytes: number,
): Result<CheckedDocuments, readonly Issue[]> {
  const { json, binaries: lifted } = liftBinaries(blocks, maxBinaryBytes);
  const checked = checkDocuments(json);
  if (lifted.size === 0) return checked;
  return checked.ok ? ok({ ...checked.value, lifted }) : checkDocuments(Buffer.concat(blocks));
}

/** What is wrong with a text that belongs to no document is wrong with the whole. */
const unstorableBesideDocuments = (input: unknown): Issue | null =>
  unstorableText(
    typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input, documents: null } : input,
    ["body"],
  );

/** Turns a document into its command: values checked, names typed, permissions normalized, a binary decoded. */
export function readDocument(message: DocumentMessage | IllShapedDocument, rules: ValueRules): ReadDocument {
  const documentId = toDocumentId(message.id);
  if (message instanceof IllShapedDocument) return { documentId, isNamed: message.isNamed, faults: message.issues };
  const faults = documentFaults(message, rules);
  if (faults.length > 0) return { documentId, isNamed: true, faults };
  return {
    document: {
      datasource: toDatasourceName(message.datasource),
      documentId,
      title: message.title,
      body: toDocumentBody(message, rules.lifted),
      fileType: message.file_type,
      pathPreview: message.path_preview ?? null,
      path: message.path ?? null,
      author: message.author ?? null,
      lastModified: message.last_modified ?? null,
      sub: message.data_source_sub ?? null,
      childSub: message.data_source_sub_sub ?? null,
      access: message.permissions ? toAccess(message.permissions) : null,
      customProperties: message.custom_properties?.map(({ name, value }) => ({ name, value })) ?? [],
    },
  };
}

/**
 * Puts what was read of one body into the form that the body had. What is wrong with a single document is wrong with
 * the request; in an array it is that document's failure.
 */
export function toDocumentsRequest(
  form: Form,
  read: readonly ReadDocument[],
): Result<DocumentsRequest, readonly Issue[]> {
  const [first] = read;
  if (form === "single" && first !== undefined)
    return "document" in first ? ok({ form, document: first.document }) : failed(first.faults.map(inSingleDocument));
  const documents: IndexDocument[] = [];
  const refused: RefusedDocument[] = [];
  for (const [at, one] of read.entries()) {
    if ("document" in one) documents.push(one.document);
    else refused.push({ at, documentId: one.documentId, isNamed: one.isNamed, message: faultsMessage(one.faults) });
  }
  return ok({ form: "array", documents, refused });
}

const mostFaultsTold = 5;
const longestStep = 64;

/** One sentence about what is wrong with a document. */
function faultsMessage(faults: readonly Issue[]): string {
  const told = faults.slice(0, mostFaultsTold).map(({ loc, msg }) => {
    const place = loc.map((step) => beginningOf(String(step), longestStep)).join(".");
    return place === "" ? msg : `${place}: ${msg}`;
  });
  const more = faults.length - told.length;
  return `${told.join("; ")}${more === 0 ? "" : `; and ${more} more`}.`;
}

function toDocumentBody(message: DocumentMessage, lifted: ValueRules["lifted"]): DocumentBody {
  const { mime_type, text_content: text, binary_base64: binary } = message.body;
  const [essence = "", ...parameters] = mime_type.split(";").map((part) => part.trim());
  const mimeType = essence.toLowerCase();
  if (typeof text === "string")
    return holdsMarkup(text, mimeType)
      ? { kind: "file", bytes: Buffer.from(text), mimeType, charset: "utf-8", name: fileName(message), isText: true }
      : { kind: "text", text, mimeType, size: Buffer.byteLength(text) };
  const bytes = lifted?.get(binary ?? "")?.bytes ?? Buffer.from(binary ?? "", "base64");
  return { kind: "file", bytes, mimeType, charset: charsetOf(parameters), name: fileName(message) };
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
