import { serviceAccountStream } from "../../src/events/streams.js";
import type { DatasourceLimits } from "../../src/shared/datasourceLimit.js";
import type { CredentialId, DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, evolve, serviceAccountAggregate } from "./decider.js";
import { limitsNow } from "./limitsNow.js";

interface BindServiceAccount {
  readonly id: CredentialId;
  /** Names of limits that may be borne by now. */
  readonly names: readonly DatasourceName[];
}

/**
 * Binds limits that named a datasource before it was there to the incarnation that bears the name in the log, since it is
 * for good: a read model may show one that is gone. Those that are bound stay as they are. Answers with all limits as
 * they are then.
 */
export async function bindServiceAccount(
  { handler }: CommandServices,
  { id, names }: BindServiceAccount,
  context: CommandContext,
): CommandResult<DatasourceLimits> {
  const found = (await limitsNow(handler, names)).filter(({ datasourceId }) => datasourceId !== null);
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
