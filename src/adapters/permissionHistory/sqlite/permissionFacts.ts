import type {
  Edge,
  Incarnation,
  PermissionIntervals,
  Person,
  Principal,
  PrincipalKind,
  Span,
} from "../../../audit/ports/permissionHistory.js";
import type { DatasourceName, DocumentId, Email, GroupId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { principalKinds } from "./permissionHistorySchema.js";

/** The end of an interval that has not ended, as in `src/audit/intervalSet.ts`. */
const still = Number.MAX_SAFE_INTEGER;
const kinds: readonly PrincipalKind[] = ["anonymous", "user", "group"];
const codes: Readonly<Record<PrincipalKind, number>> = {
  anonymous: principalKinds.anonymous,
  user: principalKinds.user,
  group: principalKinds.groupName,
};

/** One for each registration; with nulls where there is none. */
type PersonRow = readonly [number: number, email: string, opened: number | null, closed: number | null];
type IncarnationRow = readonly [number: number, datasourceId: string, name: string, opened: number, closed: number];
type PrincipalRow = readonly [kind: number, incarnation: number, name: string];

/**
 * Prepared once for each way to look at the history: `history` takes every interval that began by the position,
 * `moment` those that hold at it. `@upTo` is the position.
 */
export class FactStatements {
  readonly incarnations;
  readonly incarnationsNamed;
  readonly person;
  readonly personOf;
  readonly people;
  readonly countPeople;
  readonly principal;
  readonly principalOf;
  readonly document;
  readonly group;
  readonly documentIdOf;
  readonly existences;
  readonly byDefault;
  readonly edges;

  constructor(database: SqliteDatabase, look: "history" | "moment") {
    const closed = `CASE WHEN closed <= @upTo THEN closed ELSE ${still} END`;
    const holds = look === "history" ? "opened <= @upTo" : "opened <= @upTo AND (closed IS NULL OR closed > @upTo)";
    const rows = <Row>(sql: string) => database.prepare<unknown[], Row>(sql).raw();
    const edges = (table: string, from: string, to: string) =>
      rows<Edge>(`SELECT ${to}, opened, ${closed} FROM ${table} WHERE ${from} = @from AND ${holds}`);
    /**
     * For tables with an index on where edges ended: the edges that have not ended, and those that had not ended by
     * then.
     */
    const manyEdges = (table: string, from: string, to: string) => {
      if (look === "history") return edges(table, from, to);
      const ofThese = `SELECT ${to}, opened, ${still} FROM ${table} WHERE ${from} = @from AND opened <= @upTo`;
      return rows<Edge>(`${ofThese} AND closed IS NULL UNION ALL ${ofThese} AND closed > @upTo`);
    };
    const incarnation = `SELECT id, datasource_id, name, opened, ${closed} FROM incarnations WHERE ${holds}`;
    const withRegistrations = (join: string, people: string): string =>
      `SELECT p.id, p.name, r.opened, CASE WHEN r.closed <= @upTo THEN r.closed ELSE ${still} END
       FROM ${people} p ${join} registrations r ON r.person = p.id AND ${holds}`;
    this.incarnations = rows<IncarnationRow>(`${incarnation} ORDER BY opened`);
    this.incarnationsNamed = rows<IncarnationRow>(`${incarnation} AND name = @name ORDER BY opened`);
    this.person = rows<PersonRow>(
      `${withRegistrations("LEFT JOIN", "principals")} WHERE p.incarnation = @incarnation AND p.kind = 1 AND p.name = @email ORDER BY r.opened`,
    );
    this.personOf = rows<PersonRow>(
      `${withRegistrations("LEFT JOIN", "principals")} WHERE p.id = @id ORDER BY r.opened`,
    );
    const registered = `SELECT id, name FROM principals WHERE incarnation = @incarnation AND kind = 1 AND name > @after
      AND EXISTS (SELECT 1 FROM registrations WHERE person = principals.id AND ${holds}) ORDER BY name LIMIT @count`;
    this.people = rows<PersonRow>(`${withRegistrations("JOIN", `(${registered})`)} ORDER BY p.name, r.opened`);
    this.countPeople = database
      .prepare<unknown[], number>(
        `SELECT count(DISTINCT person) FROM registrations WHERE incarnation = @incarnation AND ${holds}`,
      )
      .pluck();
    this.principal = database
      .prepare<unknown[], number>("SELECT id FROM principals WHERE incarnation = ? AND kind = ? AND name = ?")
      .pluck();
    this.principalOf = rows<PrincipalRow>("SELECT kind, incarnation, name FROM principals WHERE id = ?");
    this.document = database
      .prepare<unknown[], number>("SELECT id FROM documents WHERE incarnation = ? AND document_id = ?")
      .pluck();
    this.group = database
      .prepare<unknown[], number>("SELECT id FROM groups WHERE incarnation = ? AND group_id = ?")
      .pluck();
    this.documentIdOf = database.prepare<unknown[], string>("SELECT document_id FROM documents WHERE id = ?").pluck();
    const spans = (table: string) =>
      rows<Span>(`SELECT opened, ${closed} FROM ${table} WHERE document = @from AND ${holds}`);
    this.existences = spans("existences");
    this.byDefault = spans("defaults");
    this.edges = {
      grantsOf: edges("grants", "document", "principal"),
      grantsTo: manyEdges("grants INDEXED BY grants_by_principal", "principal", "document"),
      groupsOf: edges("memberships", "person", "grp"),
      membersOf: manyEdges("memberships INDEXED BY memberships_by_group", "grp", "person"),
      parentsOf: edges("nestings", "member", "grp"),
      childrenOf: manyEdges("nestings INDEXED BY nestings_by_group", "grp", "member"),
      namesOf: edges("group_names", "grp", "principal"),
      groupsNamed: edges("group_names INDEXED BY group_names_by_principal", "principal", "grp"),
    };
  }
}

/** The rows as of one position. */
export class SqlitePermissionFacts implements PermissionIntervals {
  constructor(
    private readonly statements: FactStatements,
    readonly position: number,
  ) {}

  incarnations(name?: DatasourceName): readonly Incarnation[] {
    const rows =
      name === undefined
        ? this.statements.incarnations.all({ upTo: this.position })
        : this.statements.incarnationsNamed.all({ upTo: this.position, name });
    return rows.map(([number, datasourceId, ofName, opened, closed]) => ({
      number,
      datasourceId: datasourceId as Incarnation["datasourceId"],
      name: ofName as DatasourceName,
      opened,
      closed,
    }));
  }

  person(incarnation: number, email: Email): Person | null {
    return toPeople(this.statements.person.all({ upTo: this.position, incarnation, email }))[0] ?? null;
  }

  personOf(principal: number): Person {
    return toPeople(this.statements.personOf.all({ upTo: this.position, id: principal }))[0] as Person;
  }

  people(incarnation: number, after: string, count: number): readonly Person[] {
    return toPeople(this.statements.people.all({ upTo: this.position, incarnation, after, count }));
  }

  countPeople(incarnation: number): number {
    return this.statements.countPeople.get({ upTo: this.position, incarnation }) ?? 0;
  }

  principal(incarnation: number, kind: PrincipalKind, name: string): number | null {
    return this.statements.principal.get(incarnation, codes[kind], name) ?? null;
  }

  principalOf(number: number): Principal {
    const [kind, incarnation, name] = this.statements.principalOf.get(number) as PrincipalRow;
    return { kind: kinds[kind] as PrincipalKind, incarnation, name };
  }

  document(incarnation: number, documentId: DocumentId): number | null {
    return this.statements.document.get(incarnation, documentId) ?? null;
  }

  group(incarnation: number, groupId: GroupId): number | null {
    return this.statements.group.get(incarnation, groupId) ?? null;
  }

  documentIdOf(document: number): DocumentId {
    return this.statements.documentIdOf.get(document) as DocumentId;
  }

  existences(document: number): readonly Span[] {
    return this.statements.existences.all({ upTo: this.position, from: document });
  }

  byDefault(document: number): readonly Span[] {
    return this.statements.byDefault.all({ upTo: this.position, from: document });
  }

  grantsOf(document: number): readonly Edge[] {
    return this.statements.edges.grantsOf.all({ upTo: this.position, from: document });
  }

  grantsTo(principal: number): readonly Edge[] {
    return this.statements.edges.grantsTo.all({ upTo: this.position, from: principal });
  }

  groupsOf(person: number): readonly Edge[] {
    return this.statements.edges.groupsOf.all({ upTo: this.position, from: person });
  }

  membersOf(group: number): readonly Edge[] {
    return this.statements.edges.membersOf.all({ upTo: this.position, from: group });
  }

  parentsOf(group: number): readonly Edge[] {
    return this.statements.edges.parentsOf.all({ upTo: this.position, from: group });
  }

  childrenOf(group: number): readonly Edge[] {
    return this.statements.edges.childrenOf.all({ upTo: this.position, from: group });
  }

  namesOf(group: number): readonly Edge[] {
    return this.statements.edges.namesOf.all({ upTo: this.position, from: group });
  }

  groupsNamed(principal: number): readonly Edge[] {
    return this.statements.edges.groupsNamed.all({ upTo: this.position, from: principal });
  }
}

/** The rows of one person stand together. */
function toPeople(rows: readonly PersonRow[]): Person[] {
  const people: (Person & { readonly registrations: Span[] })[] = [];
  for (const [number, email, opened, closed] of rows) {
    if (people.at(-1)?.number !== number) people.push({ number, email: email as Email, registrations: [] });
    if (opened !== null && closed !== null) people.at(-1)?.registrations.push([opened, closed]);
  }
  return people;
}
