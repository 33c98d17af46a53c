import type { Datasource, DatasourceEvent } from "../../src/events/datasource.js";
import { datasourceStream } from "../../src/events/streams.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandHandler } from "../handleCommand.js";
import { datasourceAggregate, decide, evolve, type DatasourceCommand } from "./decider.js";
import { refuseOutsider } from "./liveDatasource.js";

/** What a decided command leaves. */
export interface DatasourceOutcome {
  readonly events: readonly DatasourceEvent[];
  /** null where the datasource was deleted. */
  readonly datasource: Datasource | null;
}

/** Handles a command of the datasource with this name; outside the credential's limits it is refused first. */
export async function handleDatasource<Value>(
  handler: CommandHandler,
  context: CommandContext,
  {
    name,
    command,
    answer,
  }: { readonly name: DatasourceName; readonly command: DatasourceCommand; answer(outcome: DatasourceOutcome): Value },
): CommandResult<Value> {
  const refusal = refuseOutsider(context, name);
  if (refusal !== null) return failed(refusal);
  return handler.handle({
    aggregate: datasourceAggregate,
    stream: datasourceStream(name),
    context,
    decide(state) {
      const outside = refuseOutsider(context, name, state?.datasourceId ?? null);
      if (outside !== null) return failed(outside);
      const decision = decide(command, state);
      if (!decision.ok) return decision;
      const events = decision.value;
      return ok({ events, value: answer({ events, datasource: events.reduce(evolve, state) }) });
    },
  });
}
