import type { StoredDocument } from "../../../../queries/ports.js";
import type { CustomProperty } from "../../../events/document.js";
import type { DatasourceName, DocumentId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { tokensInClass } from "./accessClassRows.js";
import { cardColumns, cardTables, toCard, type CardRow } from "./cards.js";
import { partsPerDocument } from "./schema.js";

interface DetailsRow extends CardRow {
  readonly tokens: string;
  readonly mimeType: string;
  readonly size: number;
  readonly customProperties: string | null;
  readonly indexedAt: string;
}

/** Reads one served document by its id: one statement each, so that what it answers belongs together. */
export class PointReads {
  private readonly details;
  private readonly parts;

  constructor(database: SqliteDatabase) {
    const isIt = "s.name = ? AND s.status = 'served' AND d.document_id = ?";
    this.details = database.prepare<[string, string], DetailsRow>(
      `SELECT ${cardColumns}, d.mime_type AS mimeType, d.size, d.custom_properties AS customProperties, d.indexed_at AS indexedAt, c.tokens
       FROM ${cardTables} JOIN access_classes c ON c.id = d.class WHERE ${isIt}`,
    );
    this.parts = database
      .prepare<[string, string], string | null>(
        `SELECT t.text FROM datasources s JOIN documents d ON d.datasource = s.id
         LEFT JOIN texts t ON t.part >= d.row * ${partsPerDocument} AND t.part < (d.row + 1) * ${partsPerDocument}
         WHERE ${isIt} ORDER BY t.part`,
      )
      .pluck();
  }

  /** null where the index holds no such document. */
  find(datasource: DatasourceName, documentId: DocumentId): StoredDocument | null {
    const row = this.details.get(datasource, documentId);
    if (row === undefined) return null;
    const { mimeType, size, indexedAt } = row;
    const customProperties = row.customProperties === null ? [] : (JSON.parse(row.customProperties) as CustomProperty[]);
    return { details: { ...toCard(row), mimeType, size, customProperties, indexedAt }, tokens: tokensInClass(row.tokens) };
  }

  /** null where the index holds no such document; an empty text has no parts. */
  text(datasource: DatasourceName, documentId: DocumentId): string | null {
    const parts = this.parts.all(datasource, documentId);
    return parts.length === 0 ? null : parts.map((part) => part ?? "").join("");
  }
}
