import type { Datasource } from "../../src/events/datasource.js";
import { datasourceStream } from "../../src/events/streams.js";
import { opens } from "../../src/shared/credential.js";
import type { DatasourceId, DatasourceName } from "../../src/shared/ids.js";
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

/**
 * Refuses what the credential is not for. First by the name alone, before anything is looked up: names of other
 * datasources must not leak. Then by the incarnation that was found; null: none.
 */
export const refuseOutsider = (
  { allowedDatasources }: CommandContext,
  datasource: DatasourceName,
  datasourceId?: DatasourceId | null,
): Rejection | null =>
  opens(allowedDatasources, datasource, datasourceId) ? null : { type: "DatasourceForbidden", datasource };

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
  if (state === null) return failed({ type: "DatasourceNotFound", datasource: name });
  const outside = refuseOutsider(context, name, state.datasourceId);
  return outside === null ? ok({ datasource: state, position }) : failed(outside);
}
