import type { Datasource } from "../../src/events/datasource.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { UpdateDatasource } from "./declaration.js";
import { handleDatasource } from "./handleDatasource.js";

/** Changes label, icon or property schemas; what is not given stays (spec: PUT /datasources/{name}). */
export function updateDatasource(
  { handler }: CommandServices,
  update: UpdateDatasource,
  context: CommandContext,
): CommandResult<Datasource> {
  return handleDatasource(handler, context, {
    name: update.name,
    command: { type: "UpdateDatasource", update },
    answer: ({ datasource }) => datasource as Datasource,
  });
}
