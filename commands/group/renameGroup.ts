import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { refuseGroupName } from "./groupName.js";
import { handleGroup } from "./handleGroup.js";

interface RenameGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
  readonly newName: string;
}

/** Gives a group a new name; documents keep naming the old one (spec: PUT /groups, Visibility rules, 8). */
export async function renameGroup(
  { handler, productName }: CommandServices,
  { datasource, name, newName }: RenameGroup,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseGroupName(newName, productName));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  return handleGroup(handler, context, { type: "RenameGroup", datasourceId, datasource, name, newName });
}
