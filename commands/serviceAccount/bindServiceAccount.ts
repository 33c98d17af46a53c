import { serviceAccountStream } from "../../src/events/streams.js";
import type { DatasourceLimit, DatasourceLimits } from "../../src/shared/datasourceLimit.js";
import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, evolve, serviceAccountAggregate } from "./decider.js";

interface BindServiceAccount {
  readonly id: CredentialId;
  /** Which incarnations bear the names of limits now. */
  readonly found: readonly DatasourceLimit[];
}

/**
 * Binds limits that named a datasource before it was there; those that are bound stay as they are. Answers with all
 * limits as they are then.
 */
export function bindServiceAccount(
  { handler }: CommandServices,
  { id, found }: BindServiceAccount,
  context: CommandContext,
): CommandResult<DatasourceLimits> {
  return handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(id),
    context,
    decide(state) {
      const decision = decide({ type: "BindServiceAccount", id, found }, state);
      return decision.ok ? replyWith(decision, decision.value.reduce(evolve, state).datasources) : decision;
    },
  });
}
