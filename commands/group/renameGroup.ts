import { failed } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { refuseGroupName } from "./groupName.js";
import { handleGroup } from "./handleGroup.js";

/** Gives a group a new name; documents keep naming the old one (spec: PUT /groups, Visibility rules, 8). */
export const createRenameGroup =
  ({ handler, productName }: CommandServices): Commands["renameGroup"] =>
  async ({ datasource, name, newName }, context) => {
    const refusal = refuseOutsider(context, datasource) ?? refuseGroupName(newName, productName);
    if (refusal !== null) return failed(refusal);
    const live = await findLiveDatasource(handler, context, datasource);
    if (!live.ok) return live;
    const { datasourceId } = live.value.datasource;
    return handleGroup(handler, context, { type: "RenameGroup", datasourceId, datasource, name, newName });
  };
