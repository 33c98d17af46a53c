import { type DatasourceId, type DocumentId, type GroupId, toDatasourceId, toDocumentId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { EventOrigin } from "../../../../projections/permissionHistory/ports.js";
import { principalKinds, subjectKinds } from "./permissionHistorySchema.js";

/** How many numbers are remembered; beyond that, all are forgotten. */
const mostRemembered = 500_000;

/** Gives ids, names and emails their numbers. A number is never given to another, so what is remembered stays right. */
export class Interning {
  private readonly remembered = new Map<string, number>();
  private readonly insertDocument;
  private readonly selectDocument;
  private readonly tables;

  constructor(database: SqliteDatabase) {
    const table = (name: string, columns: string) => ({
      select: database
        .prepare<unknown[], number>(`SELECT id FROM ${name} WHERE (${columns}) = (${columns.replace(/\w+/g, "?")})`)
        .pluck(),
      insert: database.prepare<unknown[]>(`INSERT INTO ${name} (${columns}) VALUES (${columns.replace(/\w+/g, "?")})`),
    });
    this.tables = {
      incarnations: table("incarnations", "datasource_id"),
      principals: table("principals", "incarnation, kind, name"),
      groups: table("groups", "incarnation, group_id"),
      words: table("words", "text"),
    };
    this.insertDocument = database.prepare(
      "INSERT INTO documents (incarnation, document_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
    );
    this.selectDocument = database
      .prepare<unknown[], number>("SELECT id FROM documents WHERE incarnation = ? AND document_id = ?")
      .pluck();
  }

  /**
   * For when a transaction was taken back, or another process has written: a remembered number may not be in the file.
   */
  forget(): void {
    this.remembered.clear();
  }

  incarnation(datasourceId: DatasourceId): number {
    return this.numberOf("incarnations", datasourceId);
  }

  principal(incarnation: number, kind: number, name: string): number {
    return this.numberOf("principals", incarnation, kind, name);
  }

  group(incarnation: number, groupId: GroupId): number {
    return this.numberOf("groups", incarnation, groupId);
  }

  /** An event's type, or a credential's id. */
  word(text: string): number {
    return this.numberOf("words", text);
  }

  /** Documents are too many to be remembered. A stream's first event tells that its document is most likely new. */
  document(
    incarnation: number,
    documentId: DocumentId,
    isFirst: boolean,
  ): { readonly id: number; readonly isNew: boolean } {
    const known = isFirst ? undefined : this.selectDocument.get(incarnation, documentId);
    if (known !== undefined) return { id: known, isNew: false };
    const { changes, lastInsertRowid } = this.insertDocument.run(incarnation, documentId);
    if (changes === 1) return { id: Number(lastInsertRowid), isNew: true };
    return { id: this.selectDocument.get(incarnation, documentId) as number, isNew: false };
  }

  private numberOf(table: keyof Interning["tables"], ...values: readonly (string | number)[]): number {
    const key = `${table} ${values.join(" ")}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const { select, insert } = this.tables[table];
    const found = select.get(...values) ?? Number(insert.run(...values).lastInsertRowid);
    if (this.remembered.size >= mostRemembered) this.forget();
    this.remembered.set(key, found);
    return found;
  }
}

/** The subject of an event's stream, where the rows know it by a number. */
export interface StreamSubject {
  readonly kind: (typeof subjectKinds)["person" | "incarnation" | "document"];
  readonly number: number;
  readonly incarnation: number;
  /** True for a document that was never heard of. */
  readonly isNew: boolean;
}

/**
 * The subject of a stream, or null where the stream is known by its text. It is told from the stream's name alone, so
 * numbers are given in the order of the log, whatever can be read of it or is followed. So pages of an answer go on in
 * another version of the history.
 */
export function subjectOf({ category, streamId, revision }: EventOrigin, interning: Interning): StreamSubject | null {
  if (category === "groupGraph") {
    const incarnation = interning.incarnation(toDatasourceId(streamId));
    return { kind: subjectKinds.incarnation, number: incarnation, incarnation, isNew: false };
  }
  if (category !== "user" && category !== "document") return null;
  const at = streamId.indexOf(":");
  const incarnation = interning.incarnation(toDatasourceId(streamId.slice(0, at)));
  const rest = streamId.slice(at + 1);
  if (category === "user")
    return {
      kind: subjectKinds.person,
      number: interning.principal(incarnation, principalKinds.user, rest),
      incarnation,
      isNew: false,
    };
  const { id, isNew } = interning.document(incarnation, toDocumentId(rest), revision === 0);
  return { kind: subjectKinds.document, number: id, incarnation, isNew };
}
