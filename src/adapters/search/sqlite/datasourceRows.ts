import { match } from "ts-pattern";
import type { DatasourceChange } from "../../../../projections/search/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Counters } from "./counters.js";

/** `parent_key` of a top-level sub; keys are never empty. */
const topLevel = "";

interface SubBinding {
  readonly sub: number | null;
  readonly childSub: number | null;
}

const unbound: SubBinding = { sub: null, childSub: null };

type Registered = Extract<DatasourceChange, { kind: "datasourceRegistered" }>;

interface DatasourceRow {
  readonly id: number;
  readonly searchable: string;
}

/** What is known of datasources: incarnations, subs, searched properties. Call inside a write transaction. */
export class DatasourceRows {
  private readonly statements;

  constructor(
    database: SqliteDatabase,
    private readonly counters: Counters,
  ) {
    this.statements = prepareStatements(database);
  }

  /** The row of an incarnation that may hold documents; null where it is unknown or gone. */
  find(datasourceId: DatasourceId): DatasourceRow | null {
    return this.statements.find.get(datasourceId) ?? null;
  }

  /** The subs to which a document's event binds it: those that existed before the event. */
  bind(datasource: number, sub: string | null, childSub: string | null, position: Position): SubBinding {
    if (sub === null) return unbound;
    const parent = this.statements.findSub.get(datasource, topLevel, sub, position);
    if (parent === undefined) return unbound;
    const child = childSub === null ? undefined : this.statements.findSub.get(datasource, sub, childSub, position);
    return { sub: parent, childSub: child ?? null };
  }

  apply(change: DatasourceChange): void {
    this.counters.values.definitions += 1;
    match(change)
      .with({ kind: "datasourceRegistered" }, (registered) => this.register(registered))
      .with({ kind: "propertiesDefined" }, ({ datasourceId, searchable }) => this.define(datasourceId, searchable))
      .with({ kind: "subAdded" }, ({ datasourceId, key, parentKey, children, position }) => {
        this.addSub(datasourceId, parentKey ?? topLevel, key, position);
        for (const child of children) this.addSub(datasourceId, key, child, position);
      })
      .with({ kind: "subRemoved" }, ({ datasourceId, key, parentKey }) =>
        this.removeSub(datasourceId, parentKey ?? topLevel, key),
      )
      .with({ kind: "datasourceDeleted" }, ({ datasourceId }) => this.delete(datasourceId))
      .with({ kind: "datasourceSuspended" }, ({ datasourceId }) =>
        this.statements.setStatus.run("suspended", datasourceId),
      )
      .with({ kind: "datasourceRestored" }, ({ datasourceId }) => this.statements.restore.run(datasourceId))
      .exhaustive();
  }

  /** A name that is registered anew belongs to the new incarnation alone, whatever happened to the old one. */
  private register({ datasourceId, name, subs, searchable, position }: Registered): void {
    this.statements.withdrawName.run(name);
    this.statements.register.run(datasourceId, name, JSON.stringify(searchable));
    for (const sub of subs) {
      this.addSub(datasourceId, topLevel, sub.key, position);
      for (const child of sub.subs) this.addSub(datasourceId, sub.key, child.key, position);
    }
  }

  private define(datasourceId: DatasourceId, searchable: readonly string[]): void {
    const row = this.find(datasourceId);
    const text = JSON.stringify(searchable);
    if (row === null || row.searchable === text) return;
    this.statements.define.run(text, row.id);
    this.statements.analyseLater.run(row.id, this.counters.values.nextRow - 1);
  }

  private addSub(datasourceId: DatasourceId, parentKey: string, key: string, position: Position): void {
    const row = this.find(datasourceId);
    if (row !== null) this.statements.addSub.run(row.id, parentKey, key, position);
  }

  private removeSub(datasourceId: DatasourceId, parentKey: string, key: string): void {
    const row = this.find(datasourceId);
    if (row === null) return;
    this.statements.removeSub.run(row.id, parentKey, key);
    if (parentKey === topLevel) this.statements.removeChildren.run(row.id, key);
  }

  private delete(datasourceId: DatasourceId): void {
    const row = this.find(datasourceId);
    if (row === null) return;
    this.statements.setStatus.run("deleted", datasourceId);
    this.statements.removeSubs.run(row.id);
    this.statements.removeLater.run(row.id);
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  find: database.prepare<[string], DatasourceRow>(
    "SELECT id, searchable FROM datasources WHERE datasource_id = ? AND status <> 'deleted'",
  ),
  findSub: database
    .prepare<[number, string, string, bigint], number>(
      "SELECT id FROM subs WHERE datasource = ? AND parent_key = ? AND key = ? AND since <= ?",
    )
    .pluck(),
  withdrawName: database.prepare("UPDATE datasources SET status = 'suspended' WHERE name = ? AND status = 'served'"),
  register: database.prepare(
    "INSERT OR IGNORE INTO datasources (datasource_id, name, status, searchable) VALUES (?, ?, 'served', ?)",
  ),
  define: database.prepare("UPDATE datasources SET searchable = ? WHERE id = ?"),
  setStatus: database.prepare("UPDATE datasources SET status = ? WHERE datasource_id = ?"),
  restore: database.prepare(
    "UPDATE datasources SET status = 'served' WHERE datasource_id = ? AND status = 'suspended'",
  ),
  addSub: database.prepare("INSERT OR IGNORE INTO subs (datasource, parent_key, key, since) VALUES (?, ?, ?, ?)"),
  removeSub: database.prepare("DELETE FROM subs WHERE datasource = ? AND parent_key = ? AND key = ?"),
  removeChildren: database.prepare("DELETE FROM subs WHERE datasource = ? AND parent_key = ?"),
  removeSubs: database.prepare("DELETE FROM subs WHERE datasource = ?"),
  analyseLater: database.prepare("INSERT OR REPLACE INTO pending_analysis VALUES (?, 0, ?)"),
  removeLater: database.prepare("INSERT OR IGNORE INTO pending_removal VALUES (?)"),
});
