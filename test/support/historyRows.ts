import Database from "better-sqlite3";

/** Everything in the file but what numbers were given: rows as text, sorted. */
export function rowsOf(file: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const dump = (sql: string): string[] =>
    database
      .prepare<[], unknown[]>(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .sort();
  const principal = (column: string): string =>
    `(SELECT g.datasource_id || p.kind || p.name FROM principals p JOIN incarnations g ON g.id = p.incarnation WHERE p.id = ${column})`;
  const group = (column: string): string => `(SELECT group_id FROM groups g WHERE g.id = ${column})`;
  const document =
    "(SELECT g.datasource_id || d.document_id FROM documents d JOIN incarnations g ON g.id = d.incarnation WHERE d.id = document)";
  const rows = [
    ...dump("SELECT 'incarnation', datasource_id, name, opened, closed FROM incarnations WHERE opened IS NOT NULL"),
    ...dump(`SELECT 'registration', ${principal("person")}, opened, closed FROM registrations`),
    ...dump(`SELECT 'name', ${group("grp")}, ${principal("principal")}, opened, closed FROM group_names`),
    ...dump(`SELECT 'nesting', ${group("member")}, ${group("grp")}, opened, closed FROM nestings`),
    ...dump(`SELECT 'membership', ${principal("person")}, ${group("grp")}, opened, closed FROM memberships`),
    ...dump(`SELECT 'document', ${document}, opened, closed FROM existences`),
    ...dump(`SELECT 'grant', ${document}, ${principal("principal")}, opened, closed FROM grants`),
    ...dump(`SELECT 'default', ${document}, opened, closed FROM defaults`),
    ...dump("SELECT 'origin', position, revision, latest, at FROM origins"),
  ];
  database.close();
  return rows;
}
