import { serviceAccountStream } from "../../src/events/streams.js";
import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, serviceAccountAggregate } from "./decider.js";

interface RevokeServiceAccount {
  readonly id: CredentialId;
}

/** Ends a service account for good; revoking it again changes nothing. */
export function revokeServiceAccount(
  { handler }: CommandServices,
  { id }: RevokeServiceAccount,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(id),
    context,
    decide: (state) => replyWith(decide({ type: "RevokeServiceAccount", id }, state), null),
  });
}
