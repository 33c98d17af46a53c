import type { DatasourceId, DatasourceName, Email, GroupId } from "../../shared/ids.js";

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
  readonly lastModified: string | null;
  /** Where the event stands by which it was last indexed. */
  readonly indexedAt: number;
};

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
  users(incarnation: number, after: string, count: number): readonly ListedUser[];
  groups(incarnation: number, after: string, count: number): readonly ListedGroup[];
  /** Direct members: groups come first. */
  members(group: number, after: string, count: number): readonly ListedMember[];
  /** The people in a group that has this name now, and who of these is not registered: all of one moment. */
  groupMembers(incarnation: number, name: string, people: readonly Email[]): ListedGroupMembers | null;
  documents(incarnation: number, after: string, count: number): readonly ListedDocument[];
}
