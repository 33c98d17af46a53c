import { failed } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleUser } from "./handleUser.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";

/** Changes the name that a person is shown with (spec: PUT /users/{datasource}/{email}). */
export const createRenameUser =
  ({ handler }: CommandServices): Commands["renameUser"] =>
  async ({ datasource, email, name }, context) => {
    const refusal = refuseOutsider(context, datasource) ?? refuseEmptyEmail(email);
    if (refusal !== null) return failed(refusal);
    const live = await findLiveDatasource(handler, context, datasource);
    if (!live.ok) return live;
    return handleUser(handler, context, {
      type: "RenameUser",
      datasourceId: live.value.datasource.datasourceId,
      datasource,
      email,
      name,
    });
  };
