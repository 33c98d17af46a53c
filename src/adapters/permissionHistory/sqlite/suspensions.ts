import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** The datasources of which nothing is known from some position on, because an event of theirs is parked. */
export class Suspensions {
  private readonly insert;
  private readonly selectOpened;
  private readonly select;
  /** Keyed by datasource and by whether it is projected afresh. */
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

  /** See {@link Interning.forget}. */
  forget(): void {
    this.remembered.clear();
  }

  /** A datasource whose registration was never seen has no known name, so it could be any datasource. */
  suspend(datasourceId: DatasourceId | null, position: Position): void {
    const isKnown = datasourceId !== null && this.selectOpened.get(datasourceId) === 1;
    this.insert.run(isKnown ? datasourceId : "", position);
    this.forget();
  }

  /**
   * Whether what happens to the datasource is passed over. A suspension of all datasources does not hold for one that
   * is projected afresh.
   */
  holdFor(datasourceId: DatasourceId, anew: boolean): boolean {
    const key = `${anew} ${datasourceId}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const holds = this.select.get(datasourceId, anew ? datasourceId : "") === 1;
    this.remembered.set(key, holds);
    return holds;
  }
}
