import type { Datasource } from "../../src/events/datasource.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { RegisterDatasource } from "./declaration.js";
import { handleDatasource } from "./handleDatasource.js";

/**
 * Registers a datasource with its subs and property schemas; a name that was deleted begins a new incarnation (spec:
 * POST /datasources).
 */
export function registerDatasource(
  { handler, minting }: CommandServices,
  declaration: RegisterDatasource,
  context: CommandContext,
): CommandResult<Datasource> {
  return handleDatasource(handler, context, {
    name: declaration.name,
    command: { type: "RegisterDatasource", datasourceId: minting.datasourceId(), declaration },
    answer: ({ datasource }) => datasource as Datasource,
  });
}
