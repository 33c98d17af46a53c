import type { TextPart } from "../../../readModels/search.js";
import type { HeldDocument, HeldPage, StoredDocument } from "../../../../queries/ports.js";
import { parseSearchId, type DatasourceName, type DocumentId, type PrincipalToken } from "../../../shared/ids.js";
import { ReadModelIncomplete, ReadModelUnavailable } from "../../../shared/failures.js";
import type { TypesenseConnection } from "./connection.js";
import { documentKey, tokenKey } from "./encoding.js";
import { toDetails } from "./resultPages.js";
import type { Directory } from "./directory.js";
import type { DocumentRow, StoredHitSummary } from "./rows.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { StoredTexts } from "./storedTexts.js";

/** How often a text is read again that is replaced while it is read. */
const attempts = 5;
const documentsPerPage = 250;
const detailFields = "id,card,cls,ds,position";
const textFields = "id,text,position,parts";

/** Reads one served document by its id. */
export class PointReads {
  private readonly texts: StoredTexts;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly directory: Directory,
    private readonly served: ServedPosition,
  ) {
    this.texts = new StoredTexts(connection, names.texts);
  }

  /** null where the index holds no such document. */
  async find(datasource: DatasourceName, documentId: DocumentId): Promise<StoredDocument | null> {
    const row = await this.read(datasource, documentId, detailFields);
    if (row === null) return null;
    if (this.directory.classOf(row.cls) === null) await this.directory.refresh();
    const accessClass = this.directory.classOf(row.cls);
    if (accessClass === null) throw new ReadModelIncomplete("The search index is behind on who may see a document.");
    return {
      details: toDetails(JSON.parse(row.card) as StoredHitSummary, this.directory, row.ds),
      tokens: accessClass.tokens,
    };
  }

  /** null where the index holds no such document. */
  async text(datasource: DatasourceName, documentId: DocumentId): Promise<string | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.read(datasource, documentId, textFields);
      if (row === null) return null;
      const text = await this.texts.whole(row);
      if (text !== null) return text;
    }
    throw new ReadModelUnavailable("The text is being replaced again and again.");
  }

  /** null where the index holds no such document, or its text no such part. */
  async textPart(datasource: DatasourceName, documentId: DocumentId, part: number): Promise<TextPart | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.read(datasource, documentId, textFields);
      const parts = Math.max(1, row?.parts ?? 1);
      if (row === null || part >= parts) return null;
      const text = await this.texts.part(row, part);
      if (text !== null) return { text, parts };
    }
    throw new ReadModelUnavailable("The text is being replaced again and again.");
  }

  /**
   * Documents in the order of their positions. `after` is a position, and the page of those that begin there: more than
   * a page of them may have one position.
   */
  async list(after: string | null): Promise<HeldPage<HeldDocument>> {
    const [from = "0", page = "1"] = after?.split(" ") ?? [];
    await this.directory.refresh();
    const search = {
      ...{ collection: this.names.documents, q: "*", filter_by: `position:>=${from}` },
      ...{ sort_by: "position:asc", per_page: documentsPerPage, page: Number(page) },
      include_fields: "card,ds,position",
    };
    const { answers } = await this.served.ask<Pick<DocumentRow, "card" | "ds" | "position">>([search]);
    const rows = (answers[0]?.hits ?? []).map(({ document }) => document);
    const items = rows.flatMap(({ ds, card }) => {
      const of = this.directory.datasources.get(ds);
      const id = parseSearchId((JSON.parse(card) as StoredHitSummary).id);
      return id === null || of?.status !== "served" ? [] : [{ datasourceId: of.datasourceId, ...id }];
    });
    const last = String(rows.at(-1)?.position);
    if (rows.length < documentsPerPage) return { items, next: null };
    return { items, next: last === from ? `${from} ${Number(page) + 1}` : `${last} 1` };
  }

  /** How the collection that searches ask holds a document: by its class, and by its tokens. */
  async searchedBy(
    datasource: DatasourceName,
    documentId: DocumentId,
    tokens: readonly PrincipalToken[],
  ): Promise<"these" | "others" | "nothing"> {
    const incarnation = this.directory.served(datasource);
    if (incarnation === null) return "nothing";
    const filter = `id:=${documentKey(incarnation.datasourceId, documentId)}`;
    const [answer] = await this.connection.search<Pick<DocumentRow, "cls" | "acl">>([
      { collection: this.names.documents, q: "*", filter_by: filter, include_fields: "cls,acl", per_page: 1 },
    ]);
    const row = answer?.hits[0]?.document;
    if (row === undefined) return "nothing";
    if (this.directory.classOf(row.cls) === null) await this.directory.refresh();
    const ofClass = this.directory.classOf(row.cls)?.tokens ?? [];
    const wanted = tokens.map(tokenKey).sort().join();
    return [ofClass.map(tokenKey), [...row.acl]].every((keys) => keys.sort().join() === wanted) ? "these" : "others";
  }

  /**
   * The row under which a served datasource of this name holds the document. What is known of datasources is at least
   * as new as the question.
   */
  private async read(datasource: DatasourceName, documentId: DocumentId, fields: string): Promise<DocumentRow | null> {
    for (const isLast of [false, true]) {
      const { stamp } = this.directory;
      const incarnation = this.directory.served(datasource);
      const id = incarnation === null ? null : documentKey(incarnation.datasourceId, documentId);
      const searches =
        id === null
          ? []
          : [{ collection: this.names.documents, q: "*", filter_by: `id:=${id}`, include_fields: fields, per_page: 1 }];
      const { answers, state } = await this.served.ask<DocumentRow>(searches);
      if (isLast || state.stamp === stamp) return answers[0]?.hits[0]?.document ?? null;
      await this.directory.refresh();
    }
    return null;
  }
}
