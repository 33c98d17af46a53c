import { failed } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";
import { handleUser } from "./handleUser.js";

/**
 * Registers a person on a datasource: only registered people see any of its documents (spec: POST /users, Visibility
 * rules, 1).
 */
export const createRegisterUser =
  ({ handler }: CommandServices): Commands["registerUser"] =>
  async ({ datasource, email, name }, context) => {
    const refusal = refuseOutsider(context, datasource) ?? refuseEmptyEmail(email);
    if (refusal !== null) return failed(refusal);
    const live = await findLiveDatasource(handler, context, datasource);
    if (!live.ok) return live;
    return handleUser(handler, context, {
      type: "RegisterUser",
      datasourceId: live.value.datasource.datasourceId,
      datasource,
      email,
      name,
    });
  };
