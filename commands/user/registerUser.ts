import type { DatasourceName, Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleRegistration } from "./handleUser.js";

interface RegisterUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string | null;
}

/**
 * Registers a person on a datasource: only registered people see any of its documents (spec: POST /users, Visibility
 * rules, 1).
 */
export const registerUser = (
  { handler }: CommandServices,
  { datasource, email, name }: RegisterUser,
  context: CommandContext,
): CommandResult<null> => handleRegistration(handler, context, { type: "RegisterUser", datasource, email, name });
