import type { WebQuerySent } from "../../src/events/answer.js";
import { answerStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { replyWith } from "../handleCommand.js";
import { answerAggregate, decide } from "./decider.js";

/** Records that queries leave for the web on behalf of a person. The caller sends them only after this resolves. */
export function recordWebQuery(
  { handler }: CommandServices,
  sent: WebQuerySent["data"],
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: answerAggregate,
    stream: answerStream(sent.answerId),
    context,
    decide: (state) => replyWith(decide({ type: "RecordWebQuery", sent }, state), null),
  });
}
