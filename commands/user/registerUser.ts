import type { DatasourceName, Email } from "../../src/shared/ids.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleUser } from "./handleUser.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";

interface RegisterUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string | null;
}

/**
 * Registers a person on a datasource: only registered people see any of its documents (spec: POST /users, Visibility
 * rules, 1).
 */
export async function registerUser(
  { handler }: CommandServices,
  { datasource, email, name }: RegisterUser,
  context: CommandContext,
): CommandResult<null> {
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
}
