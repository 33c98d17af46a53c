import type { DocumentDetails, TextPart } from "../../src/readModels/search.js";
import { parseSearchId, type Email } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers, StoredDocument } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";

export interface FindDocument extends Consistency {
  readonly person: Email;
  readonly id: string;
  readonly includeText: boolean;
}

interface FoundDocument {
  readonly details: DocumentDetails;
  /** The text's first part; null where it was not asked for. */
  readonly text: TextPart | null;
}

export interface FindTextPart extends Pick<FindDocument, "person" | "id"> {
  readonly part: number;
  /** The document as its first part came with it: the text has to be of the same version. */
  readonly details: DocumentDetails;
}

/**
 * A document's metadata, with the first part of its text where asked for. Unknown and forbidden are the same answer, so
 * that nobody learns which documents exist. Refused while the datasource's group closure cannot be trusted.
 */
export async function findDocument(readers: Readers, question: FindDocument): QueryResult<FoundDocument> {
  const { search, access, catalogue, ...limits } = readers;
  const consistent = await waitUntilProjected(question.atLeast, [search, access, catalogue], limits);
  if (!consistent.ok) return consistent;
  const visible = await readVisible(readers, question);
  if (!visible.ok) return visible;
  const { read, readText } = visible.value;
  const found = await readWhole(read, question.includeText ? () => readText(0) : null);
  return found === null ? failed({ type: "DocumentNotFound", id: question.id }) : ok(found);
}

/**
 * A further part of a text that the person may see. What has changed since the first part, the document or who may see
 * it, is not found: parts of two versions are no text.
 */
export async function findTextPart(
  readers: Readers,
  { part, details, ...question }: FindTextPart,
): QueryResult<TextPart> {
  const visible = await readVisible(readers, question);
  if (!visible.ok) return visible;
  const { read, readText } = visible.value;
  const found = await readWhole(read, () => readText(part));
  return found === null || found.text === null || JSON.stringify(found.details) !== JSON.stringify(details)
    ? failed({ type: "DocumentNotFound", id: question.id })
    : ok(found.text);
}

/** How a document is read by a person. */
interface VisibleReads {
  /** null where there is none that the person may see. */
  readonly read: () => Promise<StoredDocument | null>;
  readonly readText: (part: number) => Promise<TextPart | null>;
}

async function readVisible(
  { search, access, catalogue }: Readers,
  { person, id }: Pick<FindDocument, "person" | "id">,
): QueryResult<VisibleReads> {
  const parsed = parseSearchId(id);
  const datasource = parsed === null ? null : await catalogue.find(parsed.datasource);
  if (parsed === null || datasource === null) return failed({ type: "DocumentNotFound", id });
  if (await access.isParked(datasource.datasourceId))
    return failed({ type: "AccessUnavailable", datasource: datasource.name });
  return ok({
    read: async () => {
      const stored = await search.find(parsed.datasource, parsed.documentId);
      const isVisible = stored !== null && (await access.holdsAny(datasource.datasourceId, person, stored.tokens));
      return isVisible ? stored : null;
    },
    readText: (part) => search.textPart(parsed.datasource, parsed.documentId, part),
  });
}

/**
 * Reads metadata, text and metadata again until nothing changed in between: a text is handed out only with the metadata
 * and under the access list of its own version.
 */
async function readWhole(
  read: VisibleReads["read"],
  readText: (() => Promise<TextPart | null>) | null,
): Promise<FoundDocument | null> {
  let before = await read();
  if (readText === null) return before && { details: before.details, text: null };
  while (before !== null) {
    const text = await readText();
    const after = await read();
    if (after !== null && isSameVersion(before, after)) return { details: after.details, text };
    before = after;
  }
  return null;
}

const isSameVersion = (a: StoredDocument, b: StoredDocument): boolean =>
  JSON.stringify([a.details, a.tokens]) === JSON.stringify([b.details, b.tokens]);
