import { auditQuestionStream } from "../../src/events/streams.js";
import { toCredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { replyWith } from "../handleCommand.js";
import { auditQuestionAggregate, decide, type RecordAuditQuestionCommand } from "./decider.js";

/** Records that a question about the past, or about other people, is answered. */
export function recordAuditQuestion(
  { handler }: CommandServices,
  command: RecordAuditQuestionCommand,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: auditQuestionAggregate,
    stream: auditQuestionStream(toCredentialId(context.by)),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
}
