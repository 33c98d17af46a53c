import { documentStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../commands.js";
import { answering } from "../handleCommand.js";
import type { UnclaimedText } from "../ports.js";
import type { CommandServices } from "../services.js";
import { decide, documentAggregate } from "./decider.js";

/**
 * Takes a text back for which no event has come, unless one has come by now. The event that says so is appended to the
 * document, at its revision: an append that was under way all the time, of an event that refers to the text, is refused
 * by that and starts anew, its text included. The text itself is erased as one that the event has superseded (ADR 10).
 */
export type WithdrawText = (text: UnclaimedText, context: CommandContext) => CommandResult<null>;

/** Nothing that a client can ask for. */
export const createWithdrawText =
  ({ handler }: CommandServices): WithdrawText =>
  (text, context) =>
    handler.handle({
      aggregate: documentAggregate,
      stream: documentStream(text.datasourceId, text.documentId),
      context,
      decide: (state) => answering(decide({ type: "WithdrawText", text }, state), null),
    });
