import type { DocumentDetails } from "../../src/readModels/search.js";
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
  /** null where it was not asked for. */
  readonly text: string | null;
}

/**
 * A document's metadata, with its text where asked for. Unknown and forbidden are the same answer, so that nobody
 * learns which documents exist. Refused while the datasource's group closure cannot be trusted.
 */
export async function findDocument(
  { search, access, catalogue, ...limits }: Readers,
  { person, id, includeText, atLeast }: FindDocument,
): QueryResult<FoundDocument> {
  const consistent = await waitUntilProjected(atLeast, [search, access, catalogue], limits);
  if (!consistent.ok) return consistent;
  const parsed = parseSearchId(id);
  const datasource = parsed === null ? null : await catalogue.find(parsed.datasource);
  if (parsed === null || datasource === null) return failed({ type: "DocumentNotFound", id });
  if (await access.isParked(datasource.datasourceId))
    return failed({ type: "AccessUnavailable", datasource: datasource.name });
  const readVisible = async (): Promise<StoredDocument | null> => {
    const stored = await search.find(parsed.datasource, parsed.documentId);
    return stored !== null && (await access.holdsAny(datasource.datasourceId, person, stored.tokens)) ? stored : null;
  };
  const found = await readWhole(
    readVisible,
    includeText ? () => search.text(parsed.datasource, parsed.documentId) : null,
  );
  return found === null ? failed({ type: "DocumentNotFound", id }) : ok(found);
}

/**
 * Reads metadata, text and metadata again until nothing changed in between: a text is handed out only with the metadata
 * and under the access list of its own version.
 */
async function readWhole(
  readVisible: () => Promise<StoredDocument | null>,
  readText: (() => Promise<string | null>) | null,
): Promise<FoundDocument | null> {
  let before = await readVisible();
  if (readText === null) return before && { details: before.details, text: null };
  while (before !== null) {
    const text = await readText();
    const after = await readVisible();
    if (after !== null && isSameVersion(before, after)) return { details: after.details, text };
    before = after;
  }
  return null;
}

const isSameVersion = (a: StoredDocument, b: StoredDocument): boolean =>
  JSON.stringify([a.details, a.tokens]) === JSON.stringify([b.details, b.tokens]);
