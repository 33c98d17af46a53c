import type { DocumentIndexed } from "../events/document.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { FactSource } from "./ports/permissionHistory.js";

/** What does this datasource hold now? */
export interface AskInventory {
  readonly datasource: DatasourceName;
  readonly of:
    /** People, groups or documents whose email, name or id begins with `prefix`; all where it is left out. */
    | { readonly kind: "users" | "groups" | "documents"; readonly prefix?: string }
    /** The direct members of a group, or the groups that it is in directly. */
    | { readonly kind: "members" | "parents"; readonly group: string }
    /** The groups that a person is in directly. */
    | { readonly kind: "groupsOf"; readonly email: Email };
  /** The `next` of the page before; empty for the first. */
  readonly after: string;
  readonly count: number;
  /** What a consistency token stands for; null: none was sent. The answer is of the end of the log in any case. */
  readonly atLeast: Position | null;
}

/** One thing of a list. */
export type InventoryItem =
  | { readonly kind: "user"; readonly email: string; readonly name: string | null }
  | { readonly kind: "group"; readonly name: string }
  /** `name` is a group's name, or a user's email. */
  | { readonly kind: "member"; readonly of: "user" | "group"; readonly name: string }
  | {
      readonly kind: "document";
      readonly id: string;
      readonly title: string;
      readonly lastModified: string | null;
      readonly state: "searchable" | "queued";
      /** Where the event stands by which it was last indexed. */
      readonly indexedAt: Position;
    };

export interface InventoryPage {
  /** The incarnation that was looked into. */
  readonly datasourceId: DatasourceId;
  /** In the order of emails, names or ids; members in no order that means anything, groups first. */
  readonly items: readonly InventoryItem[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
}

/** What is known of this document now? */
export interface AskIndexedDocument extends Pick<AskInventory, "datasource" | "atLeast"> {
  readonly documentId: DocumentId;
}

/** A document that is there: what its newest event says, and how far it has come. */
export interface IndexedDocumentState {
  readonly document: DocumentIndexed["data"];
  /** The event by which it was last indexed. */
  readonly received: FactSource;
  /** When it was indexed first, of this time that it is there; null: nobody knows. */
  readonly firstReceived: FactSource | null;
  readonly state: "searchable" | "queued";
}

/** Which people belong to this group now, all at one moment; and who of these is not registered? */
export interface AskGroupMembers {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly people: readonly Email[];
}

/** The answer to {@link AskGroupMembers}. */
export interface GroupMembers {
  /** The incarnation that was looked into. */
  readonly datasourceId: DatasourceId;
  readonly groupId: GroupId;
  /** Everything up to here is in it. */
  readonly asOf: Position;
  /** People alone, and direct members alone. */
  readonly members: ReadonlySet<Email>;
  /** In the order in which they were asked about. */
  readonly unregistered: readonly Email[];
}
