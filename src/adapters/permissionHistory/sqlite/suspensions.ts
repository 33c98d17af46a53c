import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** Of which datasources nothing is known from some position on, because an event of them is parked. */
export class Suspensions {
  private readonly insert;
  private readonly selectOpened;
  private readonly select;
  /** By datasource and whether it is made afresh. */
  private readonly remembered = new Map<string, boolean>();

  constructor(database: SqliteDatabase) {
    this.insert = database.prepare<unknown[]>("INSERT OR IGNORE INTO suspensions VALUES (?, ?)");
    this.selectOpened = database
      .prepare<unknown[], number>("SELECT 1 FROM incarnations WHERE datasource_id = ? AND opened IS NOT NULL")
      .pluck();
    this.select = database
      .prepare<unknown[], number>("SELECT 1 FROM suspensions WHERE datasource_id IN (?, ?)")
      .pluck();
  }

  /** As `Interning.forget`. */
  forget(): void {
    this.remembered.clear();
  }

  /** Of a datasource that was never seen to be registered nobody knows the name: any could be meant. */
  suspend(datasourceId: DatasourceId | null, position: Position): void {
    const isKnown = datasourceId !== null && this.selectOpened.get(datasourceId) === 1;
    this.insert.run(isKnown ? datasourceId : "", position);
    this.forget();
  }

  /** Whether what happens to it is not followed. What is made afresh does not mind what holds for all. */
  holdFor(datasourceId: DatasourceId, anew: boolean): boolean {
    const key = `${anew} ${datasourceId}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const holds = this.select.get(datasourceId, anew ? datasourceId : "") === 1;
    this.remembered.set(key, holds);
    return holds;
  }
}
