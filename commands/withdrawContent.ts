import { categoryOf } from "../src/events/streams.js";
import type { CommandContext, CommandResult } from "./command.js";
import { withdrawText } from "./document/withdrawText.js";
import { withdrawFile } from "./file/withdrawFile.js";
import type { UnclaimedText } from "./ports.js";
import type { CommandServices } from "./services.js";

/** Withdraws a content whose event never came, of a document or of a file. No client can ask for this. */
export const withdrawContent = (
  services: CommandServices,
  content: UnclaimedText,
  context: CommandContext,
): CommandResult<null> =>
  categoryOf(content.stream) === "file"
    ? withdrawFile(services, content, context)
    : withdrawText(services, content, context);
