import { createValidate, json, type tags } from "typia";
import { valueError } from "../../http/validation/issue.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { UndoAnswer } from "../undo/undo.js";
import type { PositionText } from "./positionText.js";

/** Body of `POST /api/admin/undo`. */
export interface UndoMessage {
  /** Position of the first event that may be taken back. */
  from: PositionText;
  /** Position of the last one. */
  to: PositionText;
  /** Only what this credential wrote: the email of whoever was signed in; `operator` is the command line. */
  credential: string & tags.MinLength<1> & tags.MaxLength<254>;
  /** Say what would be done, and write nothing. Default: true. */
  dry_run?: boolean | null;
}

export const undoMessage = bodyMessage(json.schema<UndoMessage>(), createValidate<UndoMessage>(), ({ from, to }) =>
  BigInt(from) > BigInt(to) ? [valueError(["body", "to"], "the last position must not stand before the first")] : [],
);

export const undoAnswer = answerMessage(json.schema<UndoAnswer>());
