import type { HitSummary } from "../../../readModels/search.js";
import { toSearchId } from "../../../shared/ids.js";

export interface HitSummaryRow {
  readonly datasource: string;
  readonly documentId: string;
  readonly title: string;
  readonly sub: string | null;
  readonly childSub: string | null;
  readonly fileType: string;
  readonly path: string | null;
  readonly pathPreview: string | null;
  readonly author: string | null;
  readonly lastModified: string | null;
}

/**
 * Columns of a {@link HitSummaryRow}. A sub that was deleted is no longer there to be joined, so the document names
 * none.
 */
export const hitSummaryColumns = `s.name AS datasource, d.document_id AS documentId, d.title, sub.key AS sub, child.key AS childSub,
  d.file_type AS fileType, d.path, d.path_preview AS pathPreview, d.author, d.last_modified AS lastModified`;

export const hitSummaryTables = `documents d JOIN datasources s ON s.id = d.datasource
  LEFT JOIN subs sub ON sub.id = d.sub LEFT JOIN subs child ON child.id = d.child_sub`;

/** A document as a hit and its metadata show it. */
export const toHitSummary = (row: HitSummaryRow): HitSummary => ({
  id: toSearchId(row.datasource, row.documentId),
  title: row.title,
  datasource: row.datasource,
  sub: row.sub,
  childSub: row.childSub,
  fileType: row.fileType,
  path: row.path,
  pathPreview: row.pathPreview,
  author: row.author,
  lastModified: row.lastModified,
});
