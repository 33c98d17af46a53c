import { match } from "ts-pattern";
import type { SyncRunEvent, SyncRunStarted } from "../../src/events/syncRun.js";
import type { DocumentId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import type { SyncRunEnd } from "../rejection.js";

/** A sync run; null before its start. Evolves in place: it remembers as many ids as a datasource has documents. */
export type SyncRunState =
  | (SyncRunStarted["data"] & {
      /** Where the run began in the log: what was indexed after it is never deleted. */
      readonly startedAt: Position;
      readonly seen: Set<DocumentId>;
      end: "committed" | "aborted" | null;
    })
  | null;

interface OfRun {
  readonly syncRunId: SyncRunStarted["data"]["syncRunId"];
  readonly now: Date;
}

export type SyncRunCommand =
  | { readonly type: "StartSyncRun"; readonly started: SyncRunStarted["data"] }
  /** At most as many as one event takes. */
  | (OfRun & { readonly type: "SeeDocuments"; readonly documentIds: readonly DocumentId[] })
  | (OfRun & {
      readonly type: "CommitSyncRun";
      /** Documents that were indexed before the run began; those that were seen meanwhile are passed over. */
      readonly candidates: readonly DocumentId[];
      /** How many documents the datasource has. */
      readonly documents: number;
      readonly isConfirmed: boolean;
    })
  | (OfRun & { readonly type: "AbortSyncRun" });

const initialState = (): SyncRunState => null;

/** Changes the state it is given, and returns it. */
function evolve(state: SyncRunState, event: SyncRunEvent, position: Position): SyncRunState {
  return match(event)
    .returnType<SyncRunState>()
    .with({ type: "SyncRunStarted" }, ({ data }) => ({ ...data, startedAt: position, seen: new Set(), end: null }))
    .with({ type: "DocumentsSeen" }, ({ data }) => {
      for (const id of data.documentIds) state?.seen.add(id);
      return state;
    })
    .with({ type: "SyncRunCommitted" }, () => ended(state, "committed"))
    .with({ type: "SyncRunAborted" }, () => ended(state, "aborted"))
    .exhaustive();
}

function ended(state: SyncRunState, end: "committed" | "aborted"): SyncRunState {
  if (state !== null) state.end = end;
  return state;
}

/** What has ended a run by now; null: it is open. */
export function endOf({ end, expiresAt }: NonNullable<SyncRunState>, now: Date): SyncRunEnd | null {
  if (end !== null) return end;
  return now.getTime() >= Date.parse(expiresAt) ? "expired" : null;
}

/** A run that is over takes nothing more. To commit a committed run changes nothing, nor does to abort an ended one. */
export function decide(command: SyncRunCommand, state: SyncRunState): Decision<SyncRunEvent> {
  if (command.type === "StartSyncRun") return ok([{ type: "SyncRunStarted", data: command.started }]);
  const { syncRunId, now } = command;
  if (state === null) return failed({ type: "SyncRunNotFound", id: syncRunId });
  const because = endOf(state, now);
  const isRepeated =
    (command.type === "CommitSyncRun" && because === "committed") ||
    (command.type === "AbortSyncRun" && (because === "aborted" || because === "expired"));
  if (isRepeated) return ok([]);
  if (because !== null) return failed({ type: "SyncRunOver", id: syncRunId, because });
  return match(command)
    .returnType<Decision<SyncRunEvent>>()
    .with({ type: "SeeDocuments" }, ({ documentIds }) => {
      const unseen = [...new Set(documentIds)].filter((id) => !state.seen.has(id));
      return ok(unseen.length === 0 ? [] : [{ type: "DocumentsSeen", data: { syncRunId, documentIds: unseen } }]);
    })
    .with({ type: "CommitSyncRun" }, ({ candidates, documents, isConfirmed }) => {
      const missing = candidates.filter((id) => !state.seen.has(id)).length;
      const { maxDeletedShare } = state;
      if (!isConfirmed && missing > maxDeletedShare * documents)
        return failed({ type: "SyncRunDeletesTooMuch", missing, documents, maxDeletedShare });
      return ok([{ type: "SyncRunCommitted", data: { syncRunId, missing, documents, isConfirmed } }]);
    })
    .with({ type: "AbortSyncRun" }, () => ok([{ type: "SyncRunAborted", data: { syncRunId } }]))
    .exhaustive();
}

export const syncRunAggregate: Aggregate<SyncRunState, SyncRunEvent> = {
  initialState,
  evolve,
  cacheCost: (state) => 1 + (state?.seen.size ?? 0),
};
