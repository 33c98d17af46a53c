import { fileStream } from "../../src/events/streams.js";
import type { FileId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, fileAggregate } from "./decider.js";

/** Erases a file whose time is over. Of several processes that ask for it one does. No client can ask for this. */
export function expireFile({ handler }: CommandServices, fileId: FileId, context: CommandContext): CommandResult<null> {
  return handler.handle({
    aggregate: fileAggregate,
    stream: fileStream(fileId),
    context,
    decide: (state) => replyWith(decide({ type: "ExpireFile", fileId }, state), null),
  });
}
