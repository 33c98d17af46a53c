import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";

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
