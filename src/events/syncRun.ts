import type { DatasourceId, DatasourceName, DocumentId, SyncRunId } from "../shared/ids.js";

/** From here on pushes can be told as belonging to the run. */
export interface SyncRunStarted {
  readonly type: "SyncRunStarted";
  readonly data: {
    readonly syncRunId: SyncRunId;
    readonly datasourceId: DatasourceId;
    readonly datasource: DatasourceName;
    /** The share of the datasource's documents, 0 to 1, that a commit deletes without being confirmed. */
    readonly maxDeletedShare: number;
    /** ISO instant from which on the run takes nothing more and deletes nothing. */
    readonly expiresAt: string;
  };
}

/** The client has these documents, or tried to push them. Recorded before anything is pushed. */
interface DocumentsSeen {
  readonly type: "DocumentsSeen";
  readonly data: { readonly syncRunId: SyncRunId; readonly documentIds: readonly DocumentId[] };
}

/** What was seen is all there is: the others are deleted, by events that name the run as what caused them. */
interface SyncRunCommitted {
  readonly type: "SyncRunCommitted";
  readonly data: {
    readonly syncRunId: SyncRunId;
    /** How many documents were to be deleted, of how many. */
    readonly missing: number;
    readonly documents: number;
    /** True where the client confirmed it, whatever the share. */
    readonly isConfirmed: boolean;
  };
}

/** The run deletes nothing. */
interface SyncRunAborted {
  readonly type: "SyncRunAborted";
  readonly data: { readonly syncRunId: SyncRunId };
}

/** Stream `syncRun-{id}`: what one run of a connector has seen. No projection follows it. */
export type SyncRunEvent = SyncRunStarted | DocumentsSeen | SyncRunCommitted | SyncRunAborted;

export const syncRunEventTypes: Readonly<Record<SyncRunEvent["type"], true>> = {
  SyncRunStarted: true,
  DocumentsSeen: true,
  SyncRunCommitted: true,
  SyncRunAborted: true,
};
