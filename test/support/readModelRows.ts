import Database from "better-sqlite3";
import { fromBytes } from "../../src/shared/sortedIndexes.js";

/** The group closure as it is stored, without what only this file knows (row ids, epochs). */
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
}

type Row = Record<string, unknown>;
const unpack = (bytes: unknown): number[] => [...fromBytes(bytes as Buffer)];

/** Everything that the group closure holds in this file; a row that belongs to no datasource shows up with the id `null`. */
export function groupClosureRows(file: string): GroupClosureRows {
  const database = new Database(file, { readonly: true });
  const all = (sql: string): Row[] => database.prepare<[], Row>(sql).all();
  const rows = {
    datasources: all("SELECT datasource_id AS datasourceId, token, access FROM closure_datasources ORDER BY datasource_id"),
    groups: all(`SELECT d.datasource_id AS datasourceId, g.idx AS "index", g.group_id AS groupId, g.name, g.token, parents, ancestors
       FROM closure_groups g LEFT JOIN closure_datasources d ON d.id = g.datasource ORDER BY d.datasource_id, idx`),
    people: all(`SELECT d.datasource_id AS datasourceId, p.email, p.registered, p.token, p.groups
       FROM closure_people p LEFT JOIN closure_datasources d ON d.id = p.datasource ORDER BY d.datasource_id, email`),
  };
  database.close();
  return {
    datasources: rows.datasources,
    groups: rows.groups.map((row) => Object.assign(row, { parents: unpack(row["parents"]), ancestors: unpack(row["ancestors"]) })),
    people: rows.people.map((row) => Object.assign(row, { registered: row["registered"] === 1, groups: unpack(row["groups"]) })),
  } as unknown as GroupClosureRows;
}
