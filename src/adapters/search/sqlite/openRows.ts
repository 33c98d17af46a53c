import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { Visibility } from "./visibility.js";

/** Finds rows of full-text tables that are open to a person, the newest first. One person at a time. */
export class OpenRows {
  private visibility: Visibility | null = null;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    database.function("is_open", (row: number) => (this.isOpen(row) ? 1 : 0));
  }

  /** Sets the person whose documents the following statements find. */
  openTo(visibility: Visibility): void {
    this.visibility = visibility;
  }

  /** The newest rows that match an FTS5 expression, up to `most`; those that are not open count towards no bound. */
  prepare(table: "titles" | "terms"): (expression: string, most: number) => readonly number[] {
    const statement = this.database
      .prepare<[string, number], number>(
        `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND is_open(rowid) ORDER BY rowid DESC LIMIT ?`,
      )
      .pluck();
    return (expression, most) => statement.all(expression, most);
  }

  /** The newest rows of all, up to `most`. */
  newest(most: number): readonly number[] {
    const { columns, size } = this.collection;
    const rows: number[] = [];
    for (let slot = size - 1; slot >= 0 && rows.length < most; slot--)
      if (this.visibility?.opens(slot) === true) rows.push(columns.rows[slot] as number);
    return rows;
  }

  private isOpen(row: number): boolean {
    const slot = this.collection.slotOf(row, 0);
    return slot >= 0 && this.visibility?.opens(slot) === true;
  }
}
