import type { PreparedChange, PreparedDocument } from "../../../../projections/search/ports.js";
import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { toSearchId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { onceAllEnded } from "../../../shared/waiting.js";
import type { CarriedAccess } from "./accessNumbers.js";
import type { TypesenseConnection } from "./connection.js";
import type { DatasourceTable } from "./datasourceTable.js";
import { authorKey, datasourceKey, documentKey } from "./encoding.js";
import { sampleMarkOf } from "./sampledDocuments.js";
import type { EngineWords } from "./frequencies.js";
import type { LexiconRows } from "./lexiconRows.js";
import type { DocumentRow, StoredHitSummary, TextRow, CollectionNames } from "./schema.js";
import { pageId, partId, storedPartsOf } from "./storedTexts.js";
import { engineTitle } from "./titleWords.js";
import type { VectorCollections } from "./vectors/vectorRows.js";

/** How many ids fit into a filter that is part of an address. */
const idsPerRemoval = 100;
/** How many ids fit into a filter of a search. */
const idsPerSearch = 250;

/** A longer text is kept in parts, beside its document: the engine reads a candidate whole. */
const longestHere = 8_192;

/** What is known of a stored version. */
interface StoredVersion {
  readonly position: number;
  readonly parts: number;
  readonly pages: number;
}

/** A document as it is to be written, with its words and its access as the engine holds them. */
interface NumberedDocument {
  readonly prepared: PreparedDocument;
  readonly engineWords: EngineWords;
  readonly access: CarriedAccess;
}

/** Writes documents and their texts. Everything can be repeated; a stored version is never replaced by an older one. */
export class DocumentWriter {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly vectors: VectorCollections,
    private readonly lexicon: LexiconRows,
  ) {}

  /**
   * Writes words and texts before the documents that are found by them, so that a hit always has something to show.
   */
  async put(
    documents: readonly NumberedDocument[],
    datasources: DatasourceTable,
    stored: ReadonlyMap<string, StoredVersion>,
  ): Promise<void> {
    const rows = documents.map((document) => rowsOf(document, datasources));
    // Vectors of a text that is replaced go first: they are found by what its old version let people see.
    await this.removeVectors(rows.flatMap(({ document: { id } }) => (stored.has(id) ? [id] : [])));
    const texts = rows.flatMap((row) => row.texts);
    await onceAllEnded([
      this.lexicon.add(documents.map(({ prepared }) => prepared.analysed)),
      this.connection.write(this.names.texts, texts),
    ]);
    await this.connection.write(
      this.names.documents,
      rows.map(({ document }) => document),
    );
    for (const { document } of rows) {
      const old = stored.get(document.id);
      const hasMore = old !== undefined && (old.parts > document.parts || old.pages > document.pages);
      if (hasMore) await this.removeOlderParts(document);
    }
  }

  /** No error where there is no such document. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.removeVectors(ids);
    for (let from = 0; from < ids.length; from += idsPerRemoval) {
      const some = ids.slice(from, from + idsPerRemoval).join(",");
      await this.connection.remove(this.names.documents, `id:=[${some}]`);
      await this.connection.remove(this.names.texts, `doc:=[${some}]`);
    }
  }

  private async removeVectors(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += idsPerRemoval)
      await this.vectors.removeOf(ids.slice(from, from + idsPerRemoval));
  }

  /** The versions that are stored of these documents. */
  async stored(ids: readonly string[]): Promise<ReadonlyMap<string, StoredVersion>> {
    const searches = [];
    for (let from = 0; from < ids.length; from += idsPerSearch) {
      const filter = `id:=[${ids.slice(from, from + idsPerSearch).join(",")}]`;
      searches.push({
        collection: this.names.documents,
        q: "*",
        filter_by: filter,
        include_fields: "id,position,parts,pages",
        per_page: idsPerSearch,
      });
    }
    const answers = await this.connection.search<Pick<DocumentRow, "id" | "position" | "parts" | "pages">>(searches);
    return new Map(
      answers.flatMap(({ hits }) =>
        hits.map(({ document: { id, position, parts, pages } }) => [id, { position, parts, pages }] as const),
      ),
    );
  }

  private removeOlderParts({ id, position }: DocumentRow): Promise<number> {
    return this.connection.remove(this.names.texts, `doc:=${id} && position:<${position}`);
  }
}

/** The engine's id of the document that a change is about. */
export const idOf = (change: PreparedChange): string =>
  change.kind === "put"
    ? documentKey(change.prepared.document.datasourceId, change.prepared.document.documentId)
    : documentKey(change.datasourceId, change.documentId);

/** True where nothing newer than this event is stored. */
export const isNewest = (position: Position, stored: StoredVersion | undefined): boolean =>
  stored === undefined || stored.position <= Number(position);

function rowsOf(
  { prepared, engineWords, access }: NumberedDocument,
  datasources: DatasourceTable,
): { readonly document: DocumentRow; readonly texts: readonly TextRow[] } {
  const { document, searchFileType, modified, analysed } = prepared;
  const { sub, childSub } = datasources.bind(document.datasourceId, document.sub, document.childSub, prepared.position);
  const shared = { ds: datasourceKey(document.datasourceId), position: Number(prepared.position) };
  const id = documentKey(document.datasourceId, document.documentId);
  const isHere = prepared.text.length <= longestHere;
  const parts = isHere ? [] : storedPartsOf(prepared.text);
  const pages = pagesOf(analysed, { id, ...shared }, isHere);
  const sample = sampleMarkOf(id);
  const row: DocumentRow = {
    id,
    ...shared,
    ...engineWords,
    t: engineTitle(document.title),
    ...(sample === null ? {} : { sample }),
    cls: access.accessClass,
    acl: access.principals,
    subs: [sub, childSub].flatMap((bound) => bound?.id ?? []),
    type: searchFileType,
    ...(document.author ? { by: authorKey(document.author), author: document.author } : {}),
    ...(modified === null ? {} : { modified }),
    props: document.customProperties.length > 0,
    ...(isHere ? { text: prepared.text } : {}),
    ...pages.here,
    parts: parts.length,
    card: JSON.stringify(hitSummaryOf(prepared, { sub, childSub })),
  };
  const inParts = parts.map((text, part): TextRow => ({ id: partId(id, part), doc: id, ...shared, text }));
  return { document: row, texts: [...inParts, ...pages.beside] };
}

/** The pages of a document's passages: a short text has one at most, and it is kept where the text is. */
export function pagesOf(
  { passages }: Pick<AnalysedDocument, "passages">,
  { id, ds, position }: Pick<DocumentRow, "id" | "ds" | "position">,
  isHere: boolean,
): { readonly here: Pick<DocumentRow, "page">; readonly beside: readonly TextRow[] } {
  const pages = passages.map((page) => Buffer.from(page).toString("base64"));
  const [first] = pages;
  if (isHere) return { here: first === undefined ? {} : { page: first }, beside: [] };
  return { here: {}, beside: pages.map((page, at) => ({ id: pageId(id, at), doc: id, ds, position, page })) };
}

function hitSummaryOf(
  { document, indexedAt }: PreparedDocument,
  bound: Pick<StoredHitSummary, "sub" | "childSub">,
): StoredHitSummary {
  const {
    datasource,
    documentId,
    title,
    fileType,
    path,
    pathPreview,
    author,
    lastModified,
    mimeType,
    size,
    customProperties,
    file,
  } = document;
  return {
    id: toSearchId(datasource, documentId),
    title,
    datasource,
    ...bound,
    fileType,
    path,
    pathPreview,
    author,
    lastModified,
    mimeType,
    size,
    customProperties,
    indexedAt,
    ...(file && { file }),
  };
}
