import type { Access, Action, DatasourceSlot, DocumentPush, GroupName, Member, Person } from "./actions.js";

interface Group {
  name: string;
  readonly people: Set<Person>;
  readonly groups: Set<Group>;
}

interface IndexedDocument {
  readonly title: string;
  readonly modified: number | null;
  readonly access: Required<Access>;
}

interface Datasource {
  readonly users: Set<Person>;
  readonly groups: Set<Group>;
  readonly documents: Map<string, IndexedDocument>;
}

/** What a client should be answered: the status, and for documents what became of each. */
export interface Expected {
  readonly status: number;
  readonly outcomes?: readonly string[];
}

const done: Expected = { status: 200 };
const notFound: Expected = { status: 404 };
const conflict: Expected = { status: 409 };

/**
 * The visibility rules of the specification in the most naive way there is: sets, and a search through the groups for
 * every question. It shares no code with the service.
 */
export class VisibilityModel {
  private readonly datasources = new Map<DatasourceSlot, Datasource>();

  /** What the service has to answer; the model has changed accordingly. */
  apply(action: Action): Expected {
    if (action.type === "registerDatasource") return this.registerDatasource(action.datasource);
    if (action.type === "indexMany")
      return { status: 200, outcomes: action.documents.map((push) => this.index(push) ?? "failed") };
    const datasource = this.datasources.get(action.datasource);
    if (datasource === undefined) return notFound;
    switch (action.type) {
      case "deleteDatasource":
        this.datasources.delete(action.datasource);
        return done;
      case "registerUser":
        return addOnce(datasource.users, action.person);
      case "renameUser":
        return datasource.users.has(action.person) ? done : notFound;
      case "deleteUser":
        return deleteUser(datasource, action.person);
      case "deleteGroup":
        return deleteGroup(datasource, action.group);
      case "createGroup":
        return createGroup(datasource, action.group);
      case "renameGroup":
        return renameGroup(datasource, action.group, action.newName);
      case "addMember":
        return changeMembers(datasource, action.group, action.member, add);
      case "removeMember":
        return changeMembers(datasource, action.group, action.member, remove);
      case "replaceMembers":
        return replaceMembers(datasource, action.group, action.members);
      case "index":
        return { status: 200, outcomes: [this.index(action.document) ?? "failed"] };
      case "deleteDocument":
        datasource.documents.delete(action.id);
        return done;
    }
  }

  isRegistered(slot: DatasourceSlot): boolean {
    return this.datasources.has(slot);
  }

  /** null where there is no such document. */
  mayAccess(slot: DatasourceSlot, id: string, person: Person): boolean | null {
    const datasource = this.datasources.get(slot);
    const document = datasource?.documents.get(id);
    return datasource === undefined || document === undefined ? null : isVisible(datasource, document, person);
  }

  /** Titles of everything that the person may see, by slot and document id: `a/d1`. */
  visibleTo(person: Person): Record<string, string> {
    const visible: [string, string][] = [];
    for (const [slot, datasource] of this.datasources) {
      for (const [id, document] of datasource.documents)
        if (isVisible(datasource, document, person)) visible.push([`${slot}/${id}`, document.title]);
    }
    return Object.fromEntries(visible.toSorted());
  }

  private registerDatasource(slot: DatasourceSlot): Expected {
    if (this.datasources.has(slot)) return conflict;
    this.datasources.set(slot, { users: new Set(), groups: new Set(), documents: new Map() });
    return done;
  }

  /** The outcome; null where the datasource does not exist. */
  private index({ datasource, id, title, modified, access }: DocumentPush): string | null {
    const documents = this.datasources.get(datasource)?.documents;
    if (documents === undefined) return null;
    const next: IndexedDocument = { title, modified, access: wholeAccess(access) };
    const previous = documents.get(id);
    if (
      previous !== undefined &&
      modified !== null &&
      modified === previous.modified &&
      sameAccess(next.access, previous.access)
    )
      return "already_indexed";
    documents.set(id, next);
    return "sent";
  }
}

/** No permissions block at all is the same as anonymous access. */
const wholeAccess = (access: Access | null): Required<Access> => ({
  everyone: access === null,
  people: [],
  groups: [],
  ...access,
});

function sameAccess(left: Required<Access>, right: Required<Access>): boolean {
  const listed = ({ everyone, people, groups }: Required<Access>): string =>
    JSON.stringify([everyone, [...new Set(people)].toSorted(), [...new Set(groups)].toSorted()]);
  return listed(left) === listed(right);
}

function isVisible(datasource: Datasource, { access }: IndexedDocument, person: Person): boolean {
  if (!datasource.users.has(person)) return false;
  if (access.everyone || access.people.includes(person)) return true;
  return [...datasource.groups].some(
    (group) => access.groups.includes(group.name as GroupName) && contains(group, person),
  );
}

function contains(group: Group, person: Person): boolean {
  return group.people.has(person) || [...group.groups].some((nested) => contains(nested, person));
}

const named = (datasource: Datasource, name: string): Group | undefined =>
  [...datasource.groups].find((group) => group.name === name);

function addOnce<Value>(set: Set<Value>, value: Value): Expected {
  if (set.has(value)) return conflict;
  set.add(value);
  return done;
}

function createGroup(datasource: Datasource, name: string): Expected {
  if (named(datasource, name) !== undefined) return conflict;
  datasource.groups.add({ name, people: new Set(), groups: new Set() });
  return done;
}

function deleteUser({ users, groups }: Datasource, person: Person): Expected {
  if (!users.delete(person)) return notFound;
  for (const { people } of groups) people.delete(person);
  return done;
}

function deleteGroup(datasource: Datasource, name: string): Expected {
  const group = named(datasource, name);
  if (group === undefined) return notFound;
  datasource.groups.delete(group);
  for (const { groups } of datasource.groups) groups.delete(group);
  return done;
}

function renameGroup(datasource: Datasource, name: string, newName: string): Expected {
  const group = named(datasource, name);
  if (group === undefined) return notFound;
  const taken = named(datasource, newName);
  if (taken !== undefined && taken !== group) return conflict;
  group.name = newName;
  return done;
}

type Change = <Value>(members: Set<Value>, member: Value) => Expected;

const add: Change = addOnce;
const remove: Change = (members, member) => (members.delete(member) ? done : notFound);

function changeMembers(datasource: Datasource, groupName: string, member: Member, change: Change): Expected {
  const group = named(datasource, groupName);
  if (group === undefined) return notFound;
  if ("person" in member) return datasource.users.has(member.person) ? change(group.people, member.person) : notFound;
  const nested = named(datasource, member.group);
  if (nested === undefined) return notFound;
  if (change === add && reaches(nested, group)) return conflict;
  return change(group.groups, nested);
}

function replaceMembers(datasource: Datasource, groupName: string, members: readonly Person[]): Expected {
  const group = named(datasource, groupName);
  if (group === undefined || members.some((person) => !datasource.users.has(person))) return notFound;
  group.people.clear();
  for (const person of members) group.people.add(person);
  return done;
}

/** True where `goal` is the group itself or nested in it, however deep. */
function reaches(group: Group, goal: Group): boolean {
  return group === goal || [...group.groups].some((nested) => reaches(nested, goal));
}
