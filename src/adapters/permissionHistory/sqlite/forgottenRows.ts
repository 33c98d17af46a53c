import type { HistoryScope } from "../../../../projections/permissionHistory/changes.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Interning } from "./interning.js";
import { principalKinds } from "./permissionHistorySchema.js";

const neverRegistered = "UPDATE incarnations SET name = NULL, opened = NULL, closed = NULL";
const groupsOf = "(SELECT id FROM groups WHERE incarnation = @incarnation)";
const peopleOf = "(SELECT id FROM principals WHERE incarnation = @incarnation)";
const documentsOf = "(SELECT id FROM documents WHERE incarnation = @incarnation)";

/** The rows of each kind of scope. The numbers of names stay. `@incarnation`, `@person` and `@document` are numbers. */
const statements = {
  "all datasources": [
    neverRegistered,
    ...[
      "registrations",
      "group_names",
      "nestings",
      "memberships",
      "existences",
      "grants",
      "defaults",
      "suspensions",
    ].map((table) => `DELETE FROM ${table}`),
  ],
  datasource: [
    `${neverRegistered} WHERE id = @incarnation`,
    "DELETE FROM registrations WHERE incarnation = @incarnation",
    `DELETE FROM group_names WHERE grp IN ${groupsOf}`,
    `DELETE FROM nestings WHERE member IN ${groupsOf} OR grp IN ${groupsOf}`,
    `DELETE FROM memberships WHERE person IN ${peopleOf} OR grp IN ${groupsOf}`,
    `DELETE FROM existences WHERE document IN ${documentsOf}`,
    `DELETE FROM defaults WHERE document IN ${documentsOf}`,
    `DELETE FROM grants WHERE document IN ${documentsOf} OR principal IN ${peopleOf}`,
    "DELETE FROM suspensions WHERE datasource_id = @datasourceId",
  ],
  registrations: [`${neverRegistered} WHERE name = @name`],
  groups: [
    `DELETE FROM group_names WHERE grp IN ${groupsOf}`,
    `DELETE FROM nestings WHERE member IN ${groupsOf} OR grp IN ${groupsOf}`,
  ],
  person: ["DELETE FROM registrations WHERE person = @person", "DELETE FROM memberships WHERE person = @person"],
  document: ["existences", "grants", "defaults"].map((table) => `DELETE FROM ${table} WHERE document = @document`),
} as const satisfies Readonly<Record<Exclude<HistoryScope["kind"], "events">, readonly string[]>>;

/**
 * Removes what was known of a scope, so that it can be projected afresh. It is rare, so no statement is prepared
 * beforehand.
 */
export class ForgottenRows {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly interning: Interning,
  ) {}

  forget(scope: Exclude<HistoryScope, { readonly kind: "events" }>): void {
    const numbers = this.numbersOf(scope);
    for (const sql of statements[scope.kind]) this.database.prepare<unknown[]>(sql).run(numbers);
  }

  private numbersOf(scope: HistoryScope): object {
    const incarnation = "datasourceId" in scope ? this.interning.incarnation(scope.datasourceId) : null;
    if (incarnation === null) return scope;
    if (scope.kind === "person")
      return { person: this.interning.principal(incarnation, principalKinds.user, scope.email) };
    if (scope.kind === "document")
      return { document: this.interning.document(incarnation, scope.documentId, false).id };
    return { ...scope, incarnation };
  }
}
