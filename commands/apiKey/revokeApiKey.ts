import { apiKeyStream } from "../../src/events/streams.js";
import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, apiKeyAggregate } from "./decider.js";

interface RevokeApiKey {
  readonly id: CredentialId;
}

/** Ends a personal key for good; revoking it again changes nothing. */
export function revokeApiKey(
  { handler }: CommandServices,
  { id }: RevokeApiKey,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: apiKeyAggregate,
    stream: apiKeyStream(id),
    context,
    decide: (state) => replyWith(decide({ type: "RevokeApiKey", id }, state), null),
  });
}
