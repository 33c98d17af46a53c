import type { Sub } from "../../src/events/datasource.js";
import type { DocumentIndexed } from "../../src/events/document.js";
import type { DatasourceId, DatasourceName, DocumentId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";

/** What an event changes in how a datasource's documents are served. */
export type DatasourceChange =
  | {
      readonly kind: "datasourceRegistered";
      readonly position: Position;
      readonly datasourceId: DatasourceId;
      readonly name: DatasourceName;
      readonly subs: readonly Sub[];
      /** The same as in `propertiesDefined`. */
      readonly searchable: readonly string[];
    }
  /** The names of all properties whose values are searched from now on; distinct, sorted. */
  | {
      readonly kind: "propertiesDefined";
      readonly position: Position;
      readonly datasourceId: DatasourceId;
      readonly searchable: readonly string[];
    }
  | {
      readonly kind: "subAdded";
      readonly position: Position;
      readonly datasourceId: DatasourceId;
      readonly key: string;
      readonly parentKey: string | null;
      /** Keys of those nested in it. */
      readonly children: readonly string[];
    }
  /**
   * The sub is removed with its children. Documents lose the binding and do not get it back when the key is declared
   * again (spec: States).
   */
  | {
      readonly kind: "subRemoved";
      readonly position: Position;
      readonly datasourceId: DatasourceId;
      readonly key: string;
      readonly parentKey: string | null;
    }
  /** Nothing of the incarnation is served any more, and its rows go. */
  | { readonly kind: "datasourceDeleted"; readonly position: Position; readonly datasourceId: DatasourceId }
  /** Nothing of the incarnation is served, its rows stay: an event of it is parked. */
  | { readonly kind: "datasourceSuspended"; readonly position: Position; readonly datasourceId: DatasourceId }
  /** A suspended datasource is served again: its events have been followed anew. Without effect on one that is gone. */
  | { readonly kind: "datasourceRestored"; readonly position: Position; readonly datasourceId: DatasourceId };

/** What an event changes in one document. The last of a document's changes is its whole state. */
export type DocumentChange =
  | {
      readonly kind: "documentIndexed";
      readonly position: Position;
      /** ISO instant of the event. */
      readonly indexedAt: string;
      readonly document: DocumentIndexed["data"];
    }
  | {
      readonly kind: "documentRemoved";
      readonly position: Position;
      readonly datasourceId: DatasourceId;
      readonly documentId: DocumentId;
    };

/** What one event changes in the search index: facts, not yet tokens or terms. */
export type SearchChange = DatasourceChange | DocumentChange;

/** True for changes of a document, false for those of a datasource. */
export const isDocumentChange = (change: SearchChange): change is DocumentChange =>
  change.kind === "documentIndexed" || change.kind === "documentRemoved";
