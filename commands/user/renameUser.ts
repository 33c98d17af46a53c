import type { DatasourceName, Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleRegistration } from "./handleUser.js";

interface RenameUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string;
}

/** Changes the name that a person is shown with (spec: PUT /users/{datasource}/{email}). */
export const renameUser = (
  { handler }: CommandServices,
  { datasource, email, name }: RenameUser,
  context: CommandContext,
): CommandResult<null> => handleRegistration(handler, context, { type: "RenameUser", datasource, email, name });
