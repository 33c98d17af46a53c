import { createValidate, json, type tags } from "typia";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import type { Issue } from "../validation/issue.js";
import { answerMessage, bodyMessage } from "../validation/message.js";
import { flagIn } from "../validation/parameters.js";
import type { DatasourceReference, DocumentIdText } from "./texts.js";

/** What a run may delete, and how long it goes on, where its start does not say. */
export const syncRunDefaults = { maxDeletedShare: 0.2, expiresInHours: 24 } as const;

/** Body of `POST /syncs`. */
export interface StartSyncRunMessage {
  datasource: DatasourceReference;
  /**
   * The share of the datasource's documents, 0 to 1, that a commit deletes without `confirm=true`; 0.2 where left out, 1:
   * any.
   */
  max_deleted_share?: (number & tags.Minimum<0> & tags.Maximum<1>) | null;
  /** Hours until the run is over by itself, and deletes nothing; 24 where left out. */
  expires_in_hours?: (number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<720>) | null;
}

export const startSyncRunMessage = bodyMessage(
  json.schema<StartSyncRunMessage>(),
  createValidate<StartSyncRunMessage>(),
);

/** Body of `POST /syncs/{sync_id}/seen`. */
export interface DocumentsSeenMessage {
  /** Documents of the run's datasource that are still there, and need not be pushed. */
  document_ids: DocumentIdText[] & tags.MinItems<1> & tags.MaxItems<1000>;
}

export const documentsSeenMessage = bodyMessage(
  json.schema<DocumentsSeenMessage>(),
  createValidate<DocumentsSeenMessage>(),
);

type Count = number;

/** A run, as its start answers it. */
export interface StartedSyncRunAnswer {
  id: string;
  datasource: string;
  state: "open";
  max_deleted_share: number;
  expires_at: string & tags.Format<"date-time">;
}

/** Answer of `GET /syncs/{sync_id}`. */
export interface SyncRunAnswer {
  id: string;
  datasource: string;
  /** `committed`: what is still counted by `would_delete` is deleted by committing again. */
  state: "open" | "committed" | "aborted" | "expired";
  max_deleted_share: number;
  expires_at: string & tags.Format<"date-time">;
  /** Ids that were pushed with the run or told as seen, whether there is such a document or not. */
  seen: Count;
  /** How many documents the datasource has; null where the run is over without a commit. */
  documents: Count | null;
  /** How many of them a commit would delete now; null as `documents`. */
  would_delete: Count | null;
  /** The ids of the first of those, 20 at most. */
  missing: string[];
}

/** Answer of `POST /syncs/{sync_id}/commit`. */
export interface CommittedSyncRunAnswer {
  id: string;
  datasource: string;
  state: "committed";
  seen: Count;
  /** How many documents this request has deleted. */
  deleted: Count;
}

/** A commit that is refused. */
export interface RefusedCommitAnswer {
  detail: string;
  /** Only where that is more than the run may delete without being confirmed. */
  would_delete?: Count;
  /** With `would_delete`: of how many. */
  documents?: Count;
}

export const startedSyncRunAnswer = answerMessage(json.schema<StartedSyncRunAnswer>());
export const syncRunAnswer = answerMessage(json.schema<SyncRunAnswer>());
export const committedSyncRunAnswer = answerMessage(json.schema<CommittedSyncRunAnswer>());
export const refusedCommitAnswer = answerMessage(json.schema<RefusedCommitAnswer>());

/** `confirm` of a commit. */
export const confirmQuery: QueryParameters<boolean> = {
  parameters: [
    inQuery("confirm", "Delete what was not seen, whatever share of the documents it is.", {
      type: "boolean",
      default: false,
    }),
  ],
  check(parameters) {
    const issues: Issue[] = [];
    const flag = flagIn(parameters, "confirm", issues);
    return issues.length > 0 ? failed(issues) : ok(flag);
  },
};
