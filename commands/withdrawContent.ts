import { categoryOf } from "../src/events/streams.js";
import type { CommandContext, CommandResult } from "./command.js";
import { withdrawFile } from "./file/fileCommands.js";
import type { UnclaimedText } from "./ports.js";
import type { CommandServices } from "./services.js";
import { replyWith } from "./handleCommand.js";
import { decide, documentAggregate } from "./document/decider.js";

/** Withdraws a content whose event never came, of a document or of a file. No client can ask for this. */
export const withdrawContent = (
  services: CommandServices,
  content: UnclaimedText,
  context: CommandContext,
): CommandResult<null> =>
  categoryOf(content.stream) === "file"
    ? withdrawFile(services, content, context)
    : withdrawText(services, content, context);

/**
 * Withdraws a text whose event never came, unless that event has come by now. The withdrawal is itself an event of the
 * document, appended at the document's revision: an append that was under way all the time, with an event that refers
 * to the text, then conflicts and starts anew, its text included. The withdrawn text is erased like any other that was
 * superseded (docs/design/log.md). No client can ask for this.
 */
function withdrawText({ handler }: CommandServices, text: UnclaimedText, context: CommandContext): CommandResult<null> {
  return handler.handle({
    aggregate: documentAggregate,
    stream: text.stream,
    context,
    decide: (state) => replyWith(decide({ type: "WithdrawText", text }, state), null),
  });
}
