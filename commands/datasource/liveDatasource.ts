import type { Datasource } from "../../src/events/datasource.js";
import { datasourceStream } from "../../src/events/streams.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { CommandContext } from "../command.js";
import type { CommandHandler } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import { datasourceAggregate } from "./decider.js";

/** A datasource that is registered now, with the position of its newest event. */
export interface LiveDatasource {
  readonly datasource: Datasource;
  readonly position: Position | null;
}

/** Refuses what the credential is not for, before anything is looked up: names of other datasources must not leak. */
export function refuseOutsider({ allowedDatasources }: CommandContext, datasource: DatasourceName): Rejection | null {
  const isAllowed = allowedDatasources === null || allowedDatasources.includes(datasource);
  return isAllowed ? null : { type: "DatasourceForbidden", datasource };
}

/**
 * The incarnation that the name stands for now, whichever process registered it. `invalid`: what is wrong with the
 * command by itself. That is told before anything is looked up, but not to outsiders.
 */
export async function findLiveDatasource(
  handler: CommandHandler,
  context: CommandContext,
  name: DatasourceName,
  invalid: Rejection | null = null,
): Promise<Result<LiveDatasource, Rejection>> {
  const refusal = refuseOutsider(context, name) ?? invalid;
  if (refusal !== null) return failed(refusal);
  const { state, position } = await handler.read(datasourceAggregate, datasourceStream(name));
  return state === null
    ? failed({ type: "DatasourceNotFound", datasource: name })
    : ok({ datasource: state, position });
}
