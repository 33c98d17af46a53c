import { failed } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { refuseGroupName } from "./groupName.js";
import { handleGroup } from "./handleGroup.js";

/** Creates a group; its name is judged before the datasource is looked up (spec: POST /groups). */
export const createCreateGroup =
  ({ handler, minting, productName }: CommandServices): Commands["createGroup"] =>
  async ({ datasource, name }, context) => {
    const refusal = refuseOutsider(context, datasource) ?? refuseGroupName(name, productName);
    if (refusal !== null) return failed(refusal);
    const live = await findLiveDatasource(handler, context, datasource);
    if (!live.ok) return live;
    const { datasourceId } = live.value.datasource;
    return handleGroup(handler, context, {
      type: "CreateGroup",
      datasourceId,
      datasource,
      groupId: minting.groupId(),
      name,
    });
  };
