import { createValidate, json, type tags } from "typia";
import type { UndoAnswer } from "../undo/undo.js";
import { toCredentialId } from "../../shared/ids.js";
import { toPosition } from "../../shared/position.js";
import { commandContextOf } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { answerWithProgress } from "../../http/streamedAnswers.js";
import { valueOf } from "../../http/envelopes.js";
import { failed } from "../../shared/result.js";
import { route } from "../../http/route.js";
import { valueError } from "../../http/validation/issue.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { PositionText } from "../../http/messages/names.js";

/** Body of `POST /api/admin/undo`. */
interface UndoMessage {
  /** Position of the first event that may be taken back. */
  from: PositionText;
  /** Position of the last one. */
  to: PositionText;
  /** Only what this credential wrote: the email of the person who was signed in; `operator` is the command line. */
  credential: string & tags.MinLength<1> & tags.MaxLength<254>;
  /** Say what would be done, and write nothing. Default: true. */
  dry_run?: boolean | null;
}

const undoMessage = bodyMessage(json.schema<UndoMessage>(), createValidate<UndoMessage>(), ({ from, to }) =>
  BigInt(from) > BigInt(to) ? [valueError(["body", "to"], "the last position must not stand before the first")] : [],
);

const undoAnswer = answerMessage(json.schema<UndoAnswer>());

const undone: UndoAnswer = {
  from: "981",
  to: "1204",
  credential: "pDrRIAPnr1V9",
  dry_run: true,
  events: 0,
  steps: [],
  sights: { total_gains: 0, total_losses: 0, total_relation: "eq", gains: [], losses: [] },
  changed_since: [],
  not_restorable: [],
  position: null,
};

const takeBack = route({
  method: "POST",
  path: "/api/admin/undo",
  access: "operator",
  body: jsonBody(undoMessage),
  async handle(context, { body: { from, to, credential, dry_run: isDry } }) {
    const { undo } = context.services;
    const range = { from: toPosition(BigInt(from)), to: toPosition(BigInt(to)), by: toCredentialId(credential) };
    if (!(await undo.isKnown(range.by))) valueOf(failed({ type: "CredentialNotFound", id: range.by }));
    // What was begun is carried out, also where the client goes away.
    return answerWithProgress(context, (onProgress) =>
      isDry === false ? undo.carryOut(range, commandContextOf(context), onProgress) : undo.preview(range, onProgress),
    );
  },
  description: {
    tag: "Projections",
    summary: "Take back what a credential wrote",
    description:
      "Between two positions, both included, newest first, by ordinary commands in the operator's name. What anybody has changed since is left alone; what no request can bring back is listed. With `Accept: application/x-ndjson` lines say how far it is, as those of verify do.",
    example: { from: "981", to: "1204", credential: "operator", dry_run: true },
    success: { description: "What would be done, or was.", schema: undoAnswer, example: undone },
    failures: { 404: "There never was a credential with this id." },
  },
});

/** Taking back a bad sync. */
export const undoRoutes = [takeBack];
