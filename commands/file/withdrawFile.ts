import { idOf } from "../../src/events/streams.js";
import { toFileId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { UnclaimedText } from "../ports.js";
import type { CommandServices } from "../services.js";
import { decide, fileAggregate } from "./decider.js";

/**
 * Withdraws a content of a file whose upload never came, unless it has come by now, as `withdrawText` does a document's:
 * an upload that was under way all the time then finds the file erased. No client can ask for this.
 */
export function withdrawFile(
  { handler }: CommandServices,
  { stream, reference: content }: UnclaimedText,
  context: CommandContext,
): CommandResult<null> {
  const fileId = toFileId(idOf(stream));
  return handler.handle({
    aggregate: fileAggregate,
    stream,
    context,
    decide: (state) => replyWith(decide({ type: "WithdrawFile", fileId, content }, state), null),
  });
}
