import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";

/**
 * The history of who could see what, as intervals over the positions of the log: `opened` is the position of the event
 * that began an interval, `closed` that of the event that ended it, or `still` (`intervalSet.ts`). Everything holds as
 * of one position: an interval that began later is not there, and one that ended later has not ended. Ids, names and
 * emails are numbers that have a meaning only here.
 */
export interface PermissionIntervals {
  /** The position as of which all this holds. */
  readonly position: number;
  /** Incarnations of datasources, of one name or of all, in the order in which they were registered. */
  incarnations(name?: DatasourceName): readonly Incarnation[];
  /** A person who was registered or named by an access list; null: neither ever happened. */
  person(incarnation: number, email: Email): Person | null;
  personOf(principal: number): Person;
  /** People who were ever registered, by email, after this one; at most `count`. */
  people(incarnation: number, after: string, count: number): readonly Person[];
  countPeople(incarnation: number): number;
  /** The principal that a grant can be for; null where it was never heard of. */
  principal(incarnation: number, kind: PrincipalKind, name: string): number | null;
  principalOf(principal: number): Principal;
  document(incarnation: number, documentId: DocumentId): number | null;
  group(incarnation: number, groupId: GroupId): number | null;
  documentIdOf(document: number): DocumentId;
  /** When the document was there. */
  existences(document: number): readonly Span[];
  /** When the document was there without permissions of its own, and its datasource's `default_access` decided. */
  byDefault(document: number): readonly Span[];
  /** Edges to principals. */
  grantsOf(document: number): readonly Edge[];
  /** Edges to documents. */
  grantsTo(principal: number): readonly Edge[];
  /** Edges from a person to groups. */
  groupsOf(person: number): readonly Edge[];
  /** Edges from a group to the people in it. */
  membersOf(group: number): readonly Edge[];
  /** Edges from a group to those that contain it. */
  parentsOf(group: number): readonly Edge[];
  /** Edges from a group to those that it contains. */
  childrenOf(group: number): readonly Edge[];
  /** Edges from a group to its names, which are principals. */
  namesOf(group: number): readonly Edge[];
  /** Edges from a name to the groups that bore it. */
  groupsNamed(principal: number): readonly Edge[];
}

/** From one thing to `other`, and when. Some hundred thousand of these make an answer, so it is a tuple. */
export type Edge = readonly [other: number, opened: number, closed: number];

export type Span = readonly [opened: number, closed: number];

/** One registration of a datasource's name. */
export interface Incarnation {
  readonly number: number;
  readonly datasourceId: DatasourceId;
  readonly name: DatasourceName;
  readonly opened: number;
  readonly closed: number;
}

export interface Person {
  readonly number: number;
  readonly email: Email;
  /** When the person was registered, in order; empty where she never was. */
  readonly registrations: readonly Span[];
}

/** `anonymous`: every registered person. */
export type PrincipalKind = "anonymous" | "user" | "group";

export interface Principal {
  readonly kind: PrincipalKind;
  readonly incarnation: number;
  /** An email, or a group's name; empty for `anonymous`. */
  readonly name: string;
}

/** The event that a fact comes from. */
export interface FactSource {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  /** ISO instant: what the log's clock shows at it. */
  readonly time: string;
  /** ISO instant that the event itself carries. */
  readonly recordedTime: string;
  readonly by: string;
}

/** What an event made so: the rows that begin at its position. */
export interface OpenedFacts {
  readonly registrations: readonly number[];
  readonly memberships: readonly (readonly [person: number, group: number])[];
  readonly nestings: readonly (readonly [member: number, group: number])[];
  readonly names: readonly (readonly [group: number, principal: number])[];
  readonly grants: readonly (readonly [document: number, principal: number])[];
}

/** The permission history, to be read in one thread. */
export interface PermissionHistory {
  /** Up to where the log is in it. */
  position(): number;
  /** Everything that was ever so up to a position that is reached. */
  upTo(position: number): PermissionIntervals;
  /** What was so at this moment alone: edges that did not hold then are left out. */
  at(position: number): PermissionIntervals;
  /** The stream and revision of an event, and who asked for it; null where there is no event at this position. */
  source(position: number): FactSource | null;
  openedBy(position: number): OpenedFacts;
  /**
   * The position from which on nothing is known of a datasource, because an event of it is parked; null: everything is
   * known. Left out: of any.
   */
  suspendedFrom(datasourceId?: DatasourceId): number | null;
}

/** An event by which documents or grants went, one by one: not the end of a whole datasource. */
export interface Removal {
  readonly position: number;
  /** Epoch milliseconds at which it was decided. */
  readonly at: number;
  readonly by: string;
  /** Number of the datasource's incarnation. */
  readonly incarnation: number;
  /** 0 or 1. */
  readonly documents: number;
  /** Entries of access lists. */
  readonly grants: number;
}

/** What an incarnation of a datasource held. */
export interface Holdings {
  readonly datasource: string;
  readonly documents: number;
  readonly grants: number;
}

/** What was removed when, from the permission history. Methods answer at once and take a few milliseconds. */
export interface Removals {
  /** The removals among the next events after a position, and how far those reach; `isEnd`: there are no more. */
  after(position: number): {
    readonly removals: readonly Removal[];
    readonly position: number;
    readonly isEnd: boolean;
  };
  /** The position from which on events were decided at this time (epoch milliseconds) or later. */
  positionAt(time: number): number;
  /** What there was right before a position. Takes longer: it counts. */
  before(incarnation: number, position: number): Holdings;
}

/** What a question about access can be about. */
export type SubjectKind = "document" | "person" | "group";

/** A document, a person or a group whose name was typed in part. */
export interface FoundSubject {
  readonly kind: SubjectKind;
  /** `{datasource}/{id}`, an email, or `{datasource}/{group}`. */
  readonly value: string;
  /** A title or a display name; the value itself where there is none. */
  readonly label: string;
  /** null of people: they are the same everywhere. */
  readonly datasource: DatasourceName | null;
  /** Whether it is there now; false of what was there once, or is only named by an access list. */
  readonly present: boolean;
}

/** Which subjects are looked for. */
export interface SubjectSearch {
  /** Parts of names, all of which have to occur, in any case. */
  readonly words: readonly string[];
  readonly kinds: readonly SubjectKind[];
  readonly count: number;
}

/** How much a live datasource holds. */
export interface DatasourceCounts {
  readonly datasource: DatasourceName;
  readonly users: number;
  readonly groups: number;
  readonly documents: number;
}

/** Names in the permission history, as far as it has come. Reads many rows, so it lives in a thread. */
export interface Subjects {
  /**
   * The best first: names that begin so, then words that do, then those that hold it; what is there before what was.
   */
  find(search: SubjectSearch): readonly FoundSubject[];
  counts(): readonly DatasourceCounts[];
}

/** A live incarnation of a datasource. */
export interface LiveIncarnation {
  readonly number: number;
  readonly datasourceId: DatasourceId;
}

/** What is listed of a user, a group, a member or a document; `key` is its place in the list. */
export type ListedUser = { readonly key: string; readonly name: string | null };

export type ListedGroup = { readonly key: string };
export type ListedMember = { readonly key: string; readonly kind: "user" | "group"; readonly name: string };
export type ListedDocument = {
  readonly key: string;
  readonly title: string;
  readonly lastModified: string | null;
  /** Where the event stands by which it was last indexed. */
  readonly indexedAt: number;
};

/** A document that is there, with where the event stands since which it is. */
export type FoundDocument = Omit<ListedDocument, "key"> & { readonly opened: number };

/** Which part of a list: after a key, and of keys that begin with `prefix`. */
export interface ListedPart {
  readonly prefix: string;
  readonly after: string;
  readonly count: number;
}

/** The people who are direct members of a group, and those of some who are not registered. */
export interface ListedGroupMembers {
  readonly groupId: GroupId;
  readonly members: readonly Email[];
  readonly unregistered: readonly Email[];
}

/** What live datasources hold, as far as the permission history has come: pages in the order of keys, after one. */
export interface Inventory {
  /** null where no datasource bears the name now. */
  incarnation(name: DatasourceName): LiveIncarnation | null;
  /** The number of the group that has this name now; null where there is none. */
  group(incarnation: number, name: string): number | null;
  /** The number of the person who is registered with this email now; null where there is none. */
  person(incarnation: number, email: Email): number | null;
  users(incarnation: number, part: ListedPart): readonly ListedUser[];
  groups(incarnation: number, part: ListedPart): readonly ListedGroup[];
  /** Direct members: groups come first. */
  members(group: number, after: string, count: number): readonly ListedMember[];
  /** The groups that a group is in directly. */
  parents(group: number, after: string, count: number): readonly ListedMember[];
  /** The groups that a person is in directly. */
  groupsOf(person: number, after: string, count: number): readonly ListedMember[];
  /** The people in a group that has this name now, and who of these is not registered: all of one moment. */
  groupMembers(incarnation: number, name: string, people: readonly Email[]): ListedGroupMembers | null;
  documents(incarnation: number, part: ListedPart): readonly ListedDocument[];
  /** null where there is no such document now. */
  document(incarnation: number, documentId: DocumentId): FoundDocument | null;
}
