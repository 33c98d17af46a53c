import Database from "better-sqlite3";
import type { PersonRow } from "../../projections/groupClosure/ports.js";
import { openSqliteReadModelStores } from "../../src/adapters/store/sqlite/sqliteStorages.js";
import type { DatasourceId } from "../../src/shared/ids.js";

/** The group closure as it is stored, without what only its file knows (row ids, epochs). */
export interface GroupClosureRows {
  readonly datasources: readonly { readonly datasourceId: string; readonly token: string; readonly access: string }[];
  readonly groups: readonly {
    readonly datasourceId: string;
    readonly index: number;
    readonly groupId: string;
    readonly name: string;
    readonly token: string;
    readonly parents: readonly number[];
    readonly ancestors: readonly number[];
  }[];
  readonly people: readonly {
    readonly datasourceId: string;
    readonly email: string;
    readonly registered: boolean;
    readonly token: string;
    readonly groups: readonly number[];
  }[];
  /** Rows that belong to no datasource any more. */
  readonly orphans: number;
}

type DatasourceOfRow = GroupClosureRows["datasources"][number];

const orphansOf = (table: string): string =>
  `(SELECT count(*) FROM ${table} WHERE datasource NOT IN (SELECT id FROM closure_datasources))`;

/** Everything that the group closure holds in this file. */
export async function groupClosureRows(file: string): Promise<GroupClosureRows> {
  const database = new Database(file, { readonly: true });
  const datasources = database
    .prepare<[], DatasourceOfRow>(
      "SELECT datasource_id AS datasourceId, token, access FROM closure_datasources ORDER BY datasource_id",
    )
    .all();
  const keys = database
    .prepare<[], Pick<PersonRow, "datasourceId" | "email">>(
      `SELECT d.datasource_id AS datasourceId, p.email FROM closure_people p JOIN closure_datasources d ON d.id = p.datasource
       ORDER BY d.datasource_id, p.email`,
    )
    .all();
  const orphans =
    database
      .prepare<[], number>(`SELECT ${orphansOf("closure_groups")} + ${orphansOf("closure_people")}`)
      .pluck()
      .get() ?? 0;
  database.close();
  const stores = openSqliteReadModelStores({ file });
  const groups = [];
  for (const { datasourceId } of datasources) {
    for (const { parents, ancestors, ...row } of await stores.groupClosure.groups(datasourceId as DatasourceId)) {
      groups.push({ datasourceId, ...row, parents: [...parents], ancestors: [...ancestors] });
    }
  }
  const people = [];
  for (const key of keys) {
    for (const row of await stores.groupClosure.people([key])) people.push({ ...row, groups: [...row.groups] });
  }
  stores.close();
  return { datasources, groups, people, orphans };
}
