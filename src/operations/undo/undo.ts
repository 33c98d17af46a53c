import type { CredentialId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { CommandContext } from "../../../commands/commands.js";

/** What one credential has written in a stretch of the log, to be taken back. */
export interface UndoRequest {
  /** Inclusive. */
  readonly from: Position;
  /** Inclusive. */
  readonly to: Position;
  readonly by: CredentialId | "operator";
}

/** One thing that is put back to what it was. */
export interface UndoStepAnswer {
  /** The position of the newest event that this takes back. */
  position: string;
  stream: string;
  event: string;
  /** What is done, as a sentence without a full stop. */
  undo: string;
  /** Who, or which grant, gains by it and who loses. */
  gains: string[];
  loses: string[];
  /** `planned` in a dry run; `refused` says why. */
  outcome: "planned" | "done" | "refused";
  reason?: string;
}

/** An event that stays as it is. */
export interface KeptEventAnswer {
  position: string;
  stream: string;
  event: string;
  /** One sentence. */
  reason: string;
}

/** A person and a document. */
export interface UndoSight {
  user_email: string;
  /** `{datasource}/{id}`. */
  document: string;
}

/** The people who would gain or lose sight of documents by the undo. */
export interface UndoSights {
  total_gains: number;
  total_losses: number;
  /** `eq`: the totals are exact; `gte`: there are at least so many. */
  total_relation: "eq" | "gte";
  /** Not all where there are many. */
  gains: UndoSight[];
  losses: UndoSight[];
}

/** What comes, or came, of taking it back. */
export interface UndoAnswer {
  from: string;
  to: string;
  credential: string;
  dry_run: boolean;
  /** Events of the credential in the stretch. */
  events: number;
  /** The newest first, as they are done. */
  steps: UndoStepAnswer[];
  /** Somebody, or the credential itself, has changed it since. */
  changed_since: KeptEventAnswer[];
  /**
   * Only for a dry run, tried on a log that forgets. null where it was done, where there is too much to try, and while
   * the permission history is behind.
   */
  sights: UndoSights | null;
  /** What no command can bring back. */
  not_restorable: KeptEventAnswer[];
  /** The position of the newest event that this has led to; null where there was none. */
  position: string | null;
}

/** How much of what is to be taken back has been tried, or done: 0 to 1. */
interface UndoProgress {
  readonly done: number;
}

type OnUndoProgress = (progress: UndoProgress) => void;

/** Takes back a bad sync by ordinary commands, in the name of who asks for it. */
export interface Undo {
  /** Whether there has ever been a credential with this id; `operator` always is one. */
  isKnown(by: UndoRequest["by"]): Promise<boolean>;
  /** What would be done. Nothing is written. */
  preview(request: UndoRequest, onProgress?: OnUndoProgress): Promise<UndoAnswer>;
  /** Each command's events name the event that they take back as what caused them. */
  carryOut(request: UndoRequest, context: CommandContext, onProgress?: OnUndoProgress): Promise<UndoAnswer>;
}
