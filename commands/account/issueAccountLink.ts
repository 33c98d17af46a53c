import type { Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleAccount } from "./handleAccount.js";
import { mintLink, type AccountLink } from "./link.js";

interface IssueAccountLink {
  readonly email: Email;
}

/**
 * A link with which the account's password can be set, once and within the hour; an earlier one is worth nothing then.
 * The secret leaves in the answer and nowhere else.
 */
export function issueAccountLink(
  services: CommandServices,
  { email }: IssueAccountLink,
  context: CommandContext,
): CommandResult<AccountLink> {
  const { shown, stored } = mintLink(services);
  return handleAccount(services, { type: "IssueLink", email, link: stored }, context, shown);
}
