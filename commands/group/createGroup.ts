import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { refuseGroupName } from "./groupName.js";
import { handleGroup } from "./handleGroup.js";

interface CreateGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
}

/** Creates a group; its name is judged before the datasource is looked up (spec: POST /groups). */
export async function createGroup(
  { handler, minting, productName }: CommandServices,
  { datasource, name }: CreateGroup,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseGroupName(name, productName));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  return handleGroup(handler, context, {
    type: "CreateGroup",
    datasourceId,
    datasource,
    groupId: minting.groupId(),
    name,
  });
}
