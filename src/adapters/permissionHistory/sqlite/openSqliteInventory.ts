import type { Statement } from "better-sqlite3";
import type {
  FoundDocument,
  Inventory,
  ListedDocument,
  ListedGroup,
  ListedGroupMembers,
  ListedMember,
  ListedPart,
  ListedUser,
  LiveIncarnation,
} from "../../../audit/ports/permissionHistory.js";
import type { Email, GroupId } from "../../../shared/ids.js";
import { openForReading } from "../../sqlite/database.js";
import { permissionHistoryFile } from "./permissionHistorySchema.js";

type Rows = <Row>(sql: string) => Statement<unknown[], Row>;

/** Opens the permission history for what there is now; reads in this thread. Creates the file where it is missing. */
export function openSqliteInventory({ file }: { readonly file: string }): Inventory & { close(): void } {
  const database = openForReading(permissionHistoryFile(file));
  const rows: Rows = <Row>(sql: string) => database.prepare<unknown[], Row>(sql);
  const incarnation = rows<LiveIncarnation>(
    "SELECT id AS number, datasource_id AS datasourceId FROM incarnations WHERE name = ? AND opened IS NOT NULL AND closed IS NULL",
  );
  const ofName = `FROM principals p CROSS JOIN group_names n ON n.principal = p.id AND n.closed IS NULL
    WHERE p.incarnation = ? AND p.kind = 2`;
  const group = rows<number>(`SELECT n.grp ${ofName} AND p.name = ?`).pluck();
  const users = rows<ListedUser>(
    `SELECT p.name AS key, r.name FROM principals p CROSS JOIN registrations r ON r.person = p.id AND r.closed IS NULL
     WHERE p.incarnation = ? AND p.kind = 1 AND ${isInPart("p.name")} ORDER BY p.name LIMIT @count`,
  );
  const groups = rows<ListedGroup>(
    `SELECT p.name AS key ${ofName} AND ${isInPart("p.name")} ORDER BY p.name LIMIT @count`,
  );
  const groupNamed = rows<{ readonly number: number; readonly groupId: GroupId }>(
    `SELECT n.grp AS number, (SELECT group_id FROM groups WHERE id = n.grp) AS groupId ${ofName} AND p.name = ?`,
  );
  const peopleIn = rows<Email>(
    "SELECT p.name FROM memberships m JOIN principals p ON p.id = m.person WHERE m.grp = ? AND m.closed IS NULL",
  ).pluck();
  const registered = rows<number>(
    `SELECT p.id FROM principals p CROSS JOIN registrations r ON r.person = p.id AND r.closed IS NULL
     WHERE p.incarnation = ? AND p.kind = 1 AND p.name = ?`,
  ).pluck();
  const groupMembers = database.transaction(
    (of: number, name: string, people: readonly Email[]): ListedGroupMembers | null => {
      const found = groupNamed.get(of, name);
      if (found === undefined) return null;
      const { number, groupId } = found;
      const unregistered = people.filter((email) => registered.get(of, email) === undefined);
      return { groupId, members: peopleIn.all(number), unregistered };
    },
  );
  return {
    incarnation: (name) => incarnation.get(name) ?? null,
    group: (number, name) => group.get(number, name) ?? null,
    person: (number, email) => registered.get(number, email) ?? null,
    users: (number, part) => users.all(number, bounds(part)),
    groups: (number, part) => groups.all(number, bounds(part)),
    ...listsOfEdges(rows),
    groupMembers: (number, name, people) => groupMembers(number, name, people),
    ...listsOfDocuments(rows),
    close: () => void database.close(),
  };
}

/** The people and groups that belong to a group directly, and the groups that they belong to. */
function listsOfEdges(rows: Rows): Pick<Inventory, "members" | "parents" | "groupsOf"> {
  // Keys begin with `g` or `u` and have the numbers of groups and people in them, padded: indexes are in their order.
  const members = rows<ListedMember>(
    `SELECT * FROM (
       SELECT printf('g%012d', m.member) AS key, 'group' AS kind, p.name
       FROM nestings m JOIN group_names n ON n.grp = m.member AND n.closed IS NULL JOIN principals p ON p.id = n.principal
       WHERE m.grp = @group AND m.closed IS NULL AND m.member > @afterGroup ORDER BY m.member LIMIT @count)
     UNION ALL SELECT * FROM (
       SELECT printf('u%012d', m.person), 'user', p.name
       FROM memberships m JOIN principals p ON p.id = m.person
       WHERE m.grp = @group AND m.closed IS NULL AND m.person > @afterPerson ORDER BY m.person LIMIT @count)
     LIMIT @count`,
  );
  const groupsAround = (edges: "nestings" | "memberships", member: "member" | "person") =>
    rows<ListedMember>(
      `SELECT printf('g%012d', m.grp) AS key, 'group' AS kind, p.name
       FROM ${edges} m JOIN group_names n ON n.grp = m.grp AND n.closed IS NULL JOIN principals p ON p.id = n.principal
       WHERE m.${member} = ? AND m.closed IS NULL AND m.grp > ? ORDER BY m.grp LIMIT ?`,
    );
  const [parents, groupsOf] = [groupsAround("nestings", "member"), groupsAround("memberships", "person")];
  return {
    members(of, after, count) {
      const number = numberIn(after);
      const afterGroup = after === "" ? 0 : after.startsWith("g") ? number : Number.MAX_SAFE_INTEGER;
      const afterPerson = after.startsWith("u") ? number : 0;
      return members.all({ group: of, afterGroup, afterPerson, count });
    },
    parents: (of, after, count) => parents.all(of, numberIn(after), count),
    groupsOf: (person, after, count) => groupsOf.all(person, numberIn(after), count),
  };
}

/** Documents that are there. */
function listsOfDocuments(rows: Rows): Pick<Inventory, "documents" | "document"> {
  const existing = "FROM documents d CROSS JOIN existences e ON e.document = d.id AND e.closed IS NULL";
  const documents = rows<ListedDocument>(
    `SELECT d.document_id AS key, e.title, e.modified AS lastModified, e.indexed AS indexedAt ${existing}
     WHERE d.incarnation = ? AND ${isInPart("d.document_id")} ORDER BY d.document_id LIMIT @count`,
  );
  const document = rows<FoundDocument>(
    `SELECT e.title, e.modified AS lastModified, e.indexed AS indexedAt, e.opened ${existing}
     WHERE d.incarnation = ? AND d.document_id = ?`,
  );
  return {
    documents: (number, part) => documents.all(number, bounds(part)),
    document: (number, documentId) => document.get(number, documentId) ?? null,
  };
}

/** The greater of two bounds is one range of the index: a prefix deep in a long list is found at once. */
const isInPart = (column: string): string =>
  `${column} >= max(@after, @prefix) AND ${column} <> @after AND ${column} < @end`;

/** Nothing sorts behind the last character that there is. */
const bounds = ({ prefix, after, count }: ListedPart): ListedPart & { readonly end: string } => ({
  ...{ prefix, after, count, end: `${prefix}\u{10FFFF}` },
});

/** The number in a key, which begins with a letter. */
const numberIn = (key: string): number => (key === "" ? 0 : Number(key.slice(1)));
