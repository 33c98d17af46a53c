import type { DocumentAccess } from "../../../events/document.js";
import type { Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Interning } from "./interning.js";
import { principalKinds } from "./permissionHistorySchema.js";

/** What an event says of a document that it indexes. */
interface IndexedDocumentFacts {
  readonly access: DocumentAccess;
  readonly lastModified: string | null;
  readonly title: string;
}

/** Opens and closes intervals. What is open already stays open, and what is closed already stays closed. */
export class IntervalRows {
  private readonly statements;

  constructor(
    database: SqliteDatabase,
    private readonly interning: Interning,
  ) {
    const prepare = (sql: string) => database.prepare<unknown[]>(sql);
    this.statements = {
      openIncarnation: prepare("UPDATE incarnations SET name = ?, opened = ? WHERE id = ? AND opened IS NULL"),
      openIncarnationAnew: prepare("UPDATE incarnations SET name = ?, opened = ?, closed = NULL WHERE id = ?"),
      closeIncarnation: prepare("UPDATE incarnations SET closed = ? WHERE id = ? AND closed IS NULL"),
      register: prepare(
        `INSERT INTO registrations (incarnation, person, opened, name) SELECT @incarnation, @person, @position, @name
         WHERE NOT EXISTS (SELECT 1 FROM registrations WHERE person = @person AND closed IS NULL)`,
      ),
      deregister: prepare("UPDATE registrations SET closed = ? WHERE person = ? AND closed IS NULL"),
      isRegistered: database
        .prepare<unknown[], number>("SELECT 1 FROM registrations WHERE person = ? AND closed IS NULL")
        .pluck(),
      leaveAll: prepare("UPDATE memberships SET closed = ? WHERE person = ? AND closed IS NULL"),
      namePerson: prepare("UPDATE registrations SET name = ? WHERE person = ? AND closed IS NULL"),
      selectName: database
        .prepare<unknown[], number>("SELECT principal FROM group_names WHERE grp = ? AND closed IS NULL")
        .pluck(),
      openName: prepare("INSERT INTO group_names (grp, opened, principal) VALUES (?, ?, ?)"),
      closeName: prepare("UPDATE group_names SET closed = ? WHERE grp = ? AND closed IS NULL"),
      nestings: edges(database, "nestings", "member"),
      memberships: edges(database, "memberships", "person"),
      isExistent: database
        .prepare<unknown[], number>("SELECT 1 FROM existences WHERE document = ? AND closed IS NULL")
        .pluck(),
      openDocument: prepare(
        "INSERT INTO existences (document, opened, indexed, modified, title) VALUES (@id, @position, @position, @lastModified, @title)",
      ),
      reindexDocument: prepare(
        "UPDATE existences SET indexed = @position, modified = @lastModified, title = @title WHERE document = @id AND closed IS NULL",
      ),
      closeDocument: prepare("UPDATE existences SET closed = ? WHERE document = ? AND closed IS NULL"),
      selectGrants: database
        .prepare<unknown[], number>("SELECT principal FROM grants WHERE document = ? AND closed IS NULL")
        .pluck(),
      openGrant: prepare("INSERT INTO grants (document, principal, opened) VALUES (?, ?, ?)"),
      closeGrant: prepare("UPDATE grants SET closed = ? WHERE document = ? AND principal = ? AND closed IS NULL"),
      openDefault: prepare(
        `INSERT INTO defaults (document, opened) SELECT @id, @position
         WHERE NOT EXISTS (SELECT 1 FROM defaults WHERE document = @id AND closed IS NULL)`,
      ),
      closeDefault: prepare("UPDATE defaults SET closed = ? WHERE document = ? AND closed IS NULL"),
      closeGrants: prepare("UPDATE grants SET closed = ? WHERE document = ? AND closed IS NULL"),
    };
  }

  /** With `anew` the row is written whatever is there. */
  openIncarnation(incarnation: number, name: string, position: Position, anew = false): void {
    this.statements[anew ? "openIncarnationAnew" : "openIncarnation"].run(name, position, incarnation);
  }

  closeIncarnation(incarnation: number, position: Position): void {
    this.statements.closeIncarnation.run(position, incarnation);
  }

  register(incarnation: number, person: number, name: string | null, position: Position): void {
    this.statements.register.run({ incarnation, person, name, position });
  }

  namePerson(person: number, name: string): void {
    this.statements.namePerson.run(name, person);
  }

  deregister(person: number, position: Position): void {
    this.statements.deregister.run(position, person);
    this.statements.leaveAll.run(position, person);
  }

  nameGroup(group: number, principal: number, position: Position): void {
    if (this.statements.selectName.get(group) === principal) return;
    this.statements.closeName.run(position, group);
    this.statements.openName.run(group, position, principal);
  }

  endGroup(group: number, position: Position): void {
    this.statements.closeName.run(position, group);
  }

  /** A person who is not registered does not join. */
  join(table: "nestings" | "memberships", member: number, group: number, position: Position): void {
    const { isOpen, open } = this.statements[table];
    if (isOpen.get(member, group) !== undefined) return;
    if (table === "memberships" && this.statements.isRegistered.get(member) === undefined) return;
    open.run(member, group, position);
  }

  leave(table: "nestings" | "memberships", member: number, group: number, position: Position): void {
    this.statements[table].close.run(position, member, group);
  }

  indexDocument(
    incarnation: number,
    document: { readonly id: number; readonly isNew: boolean },
    { access, lastModified, title }: IndexedDocumentFacts,
    position: Position,
  ): void {
    const { id, isNew } = document;
    const granted = this.principalsOf(incarnation, access);
    const before = isNew ? [] : this.statements.selectGrants.all(id);
    const exists = before.length > 0 || (!isNew && this.statements.isExistent.get(id) === 1);
    this.statements[exists ? "reindexDocument" : "openDocument"].run({ id, position, lastModified, title });
    for (const principal of before)
      if (!granted.has(principal)) this.statements.closeGrant.run(position, id, principal);
    for (const principal of before) granted.delete(principal);
    for (const principal of granted) this.statements.openGrant.run(id, principal, position);
    if (access.isDefault === true) this.statements.openDefault.run({ id, position });
    else if (!isNew) this.statements.closeDefault.run(position, id);
  }

  deleteDocument(document: number, position: Position): void {
    this.statements.closeDocument.run(position, document);
    this.statements.closeGrants.run(position, document);
    this.statements.closeDefault.run(position, document);
  }

  private principalsOf(incarnation: number, { anonymous, users, groups }: DocumentAccess): Set<number> {
    const principals = new Set<number>();
    if (anonymous) principals.add(this.interning.principal(incarnation, principalKinds.anonymous, ""));
    for (const email of users) principals.add(this.interning.principal(incarnation, principalKinds.user, email));
    for (const name of groups) principals.add(this.interning.principal(incarnation, principalKinds.groupName, name));
    return principals;
  }
}

const edges = (database: SqliteDatabase, table: string, member: string) => ({
  isOpen: database
    .prepare<unknown[], number>(`SELECT 1 FROM ${table} WHERE ${member} = ? AND grp = ? AND closed IS NULL`)
    .pluck(),
  open: database.prepare<unknown[]>(`INSERT INTO ${table} (${member}, grp, opened) VALUES (?, ?, ?)`),
  close: database.prepare<unknown[]>(
    `UPDATE ${table} SET closed = ? WHERE ${member} = ? AND grp = ? AND closed IS NULL`,
  ),
});
