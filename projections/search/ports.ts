import type { AnalysedDocument } from "../../src/analysis/analyseDocument.js";
import type { DescribedDocument } from "../../src/analysis/searchedTexts.js";
import type { DocumentIndexed } from "../../src/events/document.js";
import type { SearchFileType } from "../../src/readModels/search.js";
import type { DatasourceId, DocumentId, PrincipalToken, DatasourceName } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { ProjectionBatch } from "../ports.js";
import type { Sub } from "../../src/events/datasource.js";

/** A document ready to be written: minted tokens, its text, and its words. */
export interface PreparedDocument {
  readonly position: Position;
  /** ISO instant of the event. */
  readonly indexedAt: string;
  readonly document: DocumentIndexed["data"];
  /** Distinct, sorted. Empty: nobody may see it. */
  readonly tokens: readonly PrincipalToken[];
  readonly searchFileType: SearchFileType;
  /** Epoch milliseconds; null: none known. */
  readonly modified: number | null;
  readonly text: string;
  readonly analysed: AnalysedDocument;
}

/** A document's last state in a batch. */
export type PreparedChange =
  | { readonly kind: "put"; readonly prepared: PreparedDocument }
  | { readonly kind: "remove"; readonly datasourceId: DatasourceId; readonly documentId: DocumentId };

/** What the terms of a document are made of. */
export interface AnalysableDocument extends DescribedDocument {
  readonly title: string;
  readonly text: string;
}

/** Turns a document into words, given the names of the properties that are searched. */
export type AnalyseDocument = (document: AnalysableDocument, searchable: ReadonlySet<string>) => AnalysedDocument;

/** Makes vectors of texts: near ones mean alike. */
export interface Embedder {
  /** Says which model, and of which length the vectors were asked for: vectors of one name can be compared. */
  readonly model: string;
  /** A vector of length 1 for each text. Throws `ModelServerFailure` (`src/shared`). */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** What makes vectors, with what is to be told of it. */
export interface OpenedEmbedder extends Embedder {
  /** Called with the reason why vectors could not be made; they are tried again. */
  onFailure(error: unknown): void;
  close(): Promise<void>;
}

export interface SearchIndexBatch extends Omit<ProjectionBatch<never>, "changes"> {
  /** In log order; they count before the documents do. */
  readonly datasources: readonly DatasourceChange[];
  /** At most one per document. */
  readonly documents: readonly PreparedChange[];
}

/**
 * The engine that holds the search collection.
 *
 * - A document is served only while its datasource is: a put for an incarnation that is unknown or gone writes nothing.
 * - A document is bound to a sub only where the sub has existed, without a break, since before the document's event.
 * - When the searchable properties of a datasource change, its documents are analysed again with the `AnalyseDocument`
 *   that the engine was opened with: at once as far as a bounded step goes, the rest in further such steps.
 * - A deleted datasource is not served from the same commit on; its rows go in bounded steps.
 */
export interface SearchIndexWriter {
  checkpoint(): Promise<Position>;
  /** Names of the searched properties of each of these datasources; unknown ones are left out. */
  searchableProperties(datasources: readonly DatasourceId[]): Promise<ReadonlyMap<DatasourceId, ReadonlySet<string>>>;
  /** One transaction with the checkpoint; `checkpointConflict` as for `ProjectionWriter`. */
  write(batch: SearchIndexBatch): Promise<"applied" | "checkpointConflict">;
}

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
