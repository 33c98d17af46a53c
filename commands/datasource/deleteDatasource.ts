import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

interface DeleteDatasource {
  readonly name: DatasourceName;
}

/** Closes the datasource's incarnation for good (spec: DELETE /datasources/{name}). */
export function deleteDatasource(
  { handler }: CommandServices,
  { name }: DeleteDatasource,
  context: CommandContext,
): CommandResult<null> {
  return handleDatasource(handler, context, { name, command: { type: "DeleteDatasource", name }, answer: () => null });
}
