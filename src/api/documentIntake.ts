import { randomUUID } from "node:crypto";
import type { DocumentBody, IndexDocument } from "../../commands/commands.js";
import type { DocumentAccess } from "../events/document.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../shared/ids.js";
import { beginningOf, withoutTrailing } from "../shared/texts.js";
import { failed, ok, type Result } from "../shared/result.js";
import {
  documentFaults,
  inSingleDocument,
  type ValueRules,
  type LiftedBinary,
  checkDocumentsBody,
  IllShapedDocument,
  type DocumentMessage,
  type PermissionsMessage,
} from "./documentMessage.js";
import type { Issue } from "../http/validation/issue.js";
import { parseJson, unstorableText } from "../http/validation/strictJson.js";
import type { DocumentsRequest, RefusedDocument } from "../http/ports.js";
import { holdsMarkup } from "../shared/textFormat.js";
import { decodedLength } from "../http/validation/base64.js";

export type { ValueRules };

type Form = DocumentsRequest["form"];

/** A request of some ten thousands of documents fits. */
const mostValues = 1_000_000;

/** Parsed, shape checked; values not yet looked at. */
export interface CheckedDocuments extends Pick<ValueRules, "mayBeUnstorable" | "lifted"> {
  readonly form: Form;
  readonly messages: readonly (DocumentMessage | IllShapedDocument)[];
}

/** A document as a command, or what is wrong with it: `loc` counted from the document. */
export type CheckedDocument =
  | { readonly document: IndexDocument }
  | (Pick<RefusedDocument, "documentId" | "isNamed"> & { readonly faults: readonly Issue[] });

/** Parses the body of `POST /documents` and checks its shape. Takes time that grows with the body. */
export function checkDocuments(body: Buffer): Result<CheckedDocuments, readonly Issue[]> {
  const parsed = parseJson(body, mostValues);
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
 * The same for a large body: of its large binaries each is held once, decoded, and not as a text as well. What is wrong
 * with the body is told of the body as it came.
 */
export function checkLargeDocuments(body: Buffer, maxBinaryBytes: number): Result<CheckedDocuments, readonly Issue[]> {
  const { json, binaries: lifted } = liftBinaries(body, maxBinaryBytes);
  const checked = checkDocuments(json);
  if (lifted.size === 0) return checked;
  return checked.ok ? ok({ ...checked.value, lifted }) : checkDocuments(body);
}

/** What is wrong with a text that belongs to no document is wrong with the whole. */
const unstorableBesideDocuments = (input: unknown): Issue | null =>
  unstorableText(
    typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input, documents: null } : input,
    ["body"],
  );

/** Turns a document into its command: values checked, names typed, permissions normalized, a binary decoded. */
export function readDocument(message: DocumentMessage | IllShapedDocument, rules: ValueRules): CheckedDocument {
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
  read: readonly CheckedDocument[],
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

const extension = /\.[A-Za-z0-9]{1,10}$/;

/**
 * What a document's file is called: as the address or the breadcrumb ends, if that is a name of a file, else its id.
 */
export function fileName({ path_preview, path, id }: Pick<DocumentMessage, "path_preview" | "path" | "id">): string {
  const names = [decoded((path_preview ?? "").replace(/[?#].*$/s, "")), path ?? ""].map(lastSegment);
  return names.find((name) => extension.test(name)) ?? id;
}

const lastSegment = (path: string): string => (path.split(/[/\\>]/).at(-1) ?? "").trim();

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A body without its large binaries: where one was, a name stands that is no Base64. */
interface LiftedBody {
  readonly json: Buffer;
  readonly binaries: ReadonlyMap<string, LiftedBinary>;
}

/** Smaller ones may be parsed with the rest. */
const leastCharacters = 262_144;

/** Decoded at once: whole groups of four, in strings that are young and soon gone. */
const chunkCharacters = 98_304;

// In valid JSON this is the end of a key that stands alone, whatever came before: a quote in a text is escaped.
const key = Buffer.from('"binary_base64"');
const quote = Buffer.from('"');
const toValue = /^[ \t\r\n]{0,32}:[ \t\r\n]{0,32}"/;
const longestToValue = 66;

/**
 * Decodes large binaries out of a JSON body, of which each would otherwise be held four times, in one line or wrapped.
 * What is no Base64, or written with other escapes than those of line breaks, stays where it is.
 */
export function liftBinaries(body: Buffer, maxBinaryBytes: number): LiftedBody {
  const binaries = new Map<string, LiftedBinary>();
  const kept: Buffer[] = [];
  let keptTo = 0;
  for (let at = body.indexOf(key, 0); at !== -1; at = body.indexOf(key, at)) {
    at += key.length;
    const range = valueAt(body, at);
    if (range === null) continue;
    at = range.to;
    const binary = range.to - range.from < leastCharacters ? null : decode(body, range, maxBinaryBytes);
    if (binary === null) continue;
    const name = `=${randomUUID()}`;
    binaries.set(name, binary);
    kept.push(body.subarray(keptTo, range.from), Buffer.from(name));
    keptTo = range.to;
  }
  if (binaries.size === 0) return { json: body, binaries };
  kept.push(body.subarray(keptTo));
  return { json: Buffer.concat(kept), binaries };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the text begins and ends that follows a key; null where none does. */
function valueAt(body: Buffer, afterKey: number): Range | null {
  const between = toValue.exec(body.toString("latin1", afterKey, afterKey + longestToValue))?.[0];
  if (between === undefined) return null;
  const from = afterKey + between.length;
  const to = body.indexOf(quote, from);
  return to === -1 ? null : { from, to };
}

/** null: it is no Base64. One that is too large is looked at, and not kept. */
function decode(body: Buffer, { from, to }: Range, maxBinaryBytes: number): LiftedBinary | null {
  const expected = lengthBetween(body, from, to);
  if (expected === null) return null;
  // Exactly as long as the file: memory of its own can be given away.
  const bytes = expected > maxBinaryBytes ? null : Buffer.allocUnsafeSlow(expected);
  let length = 0;
  for (const chunk of chunks(body, from, to)) {
    const written = decodedLength(chunk);
    const isBehindPadding = length % 3 !== 0;
    if (written === undefined || isBehindPadding) return null;
    bytes?.write(chunk, length, "base64");
    length += written;
  }
  return { length, bytes };
}

const backslash = 0x5c;
/** What line breaks are written with in JSON: `\r`, `\n`. */
const lineBreaks: ReadonlySet<number | undefined> = new Set([0x72, 0x6e]);

/**
 * How many bytes a text decodes to, if it is Base64; null where it cannot be: it holds other escapes, or a part of a
 * group.
 */
function lengthBetween(body: Buffer, from: number, to: number): number | null {
  let characters = 0;
  let end = "";
  for (const line of linesOf(body, from, to)) {
    if (line === null) return null;
    characters += line.length;
    end = (end + line.toString("latin1", Math.max(0, line.length - 2))).slice(-2);
  }
  const padding = end.length - withoutTrailing(end, "=").length;
  return characters % 4 === 0 ? (characters / 4) * 3 - padding : null;
}

/** The pieces of a text without its line breaks; null at another escape, which ends them. */
function* linesOf(body: Buffer, from: number, to: number): Generator<Buffer | null> {
  const text = body.subarray(from, to);
  for (let at = 0; at < text.length;) {
    const found = text.indexOf(backslash, at);
    const end = found === -1 ? text.length : found;
    if (end > at) yield text.subarray(at, end);
    if (found !== -1 && !lineBreaks.has(text[found + 1])) return void (yield null);
    at = end + 2;
  }
}

function* chunks(body: Buffer, from: number, to: number): Generator<string> {
  const chunk = Buffer.allocUnsafe(chunkCharacters);
  let filled = 0;
  for (const line of linesOf(body, from, to)) {
    const { length } = line ?? [];
    for (let at = 0; at < length;) {
      const copied = line?.copy(chunk, filled, at) ?? 0;
      at += copied;
      filled += copied;
      if (filled < chunk.length) continue;
      yield chunk.toString("latin1");
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.toString("latin1", 0, filled);
}
