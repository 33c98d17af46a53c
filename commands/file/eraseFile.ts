import { fileStream } from "../../src/events/streams.js";
import type { Email, FileId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, fileAggregate } from "./decider.js";

interface EraseFile {
  readonly fileId: FileId;
  /** Whoever asks for it. */
  readonly owner: Email;
}

/** Erases a person's file for good; of somebody else's it is said that there is none. */
export function eraseFile(
  { handler }: CommandServices,
  { fileId, owner }: EraseFile,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: fileAggregate,
    stream: fileStream(fileId),
    context,
    decide: (state) => replyWith(decide({ type: "EraseFile", fileId, owner }, state), null),
  });
}
