import type { DatasourceName, Email } from "../../src/shared/ids.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource, refuseOutsider } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleUser } from "./handleUser.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";

interface RenameUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string;
}

/** Changes the name that a person is shown with (spec: PUT /users/{datasource}/{email}). */
export async function renameUser(
  { handler }: CommandServices,
  { datasource, email, name }: RenameUser,
  context: CommandContext,
): CommandResult<null> {
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
}
