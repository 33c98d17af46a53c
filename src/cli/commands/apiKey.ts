import { Command, Option } from "commander";
import { roles as allRoles, type Role } from "../../shared/credential.js";
import type { Email } from "../../shared/ids.js";
import { parseEmail } from "../arguments.js";
import { parseExpiry } from "../instants.js";
import { carryOut, operator } from "../offline.js";
import { note, printResult } from "../output.js";
import { helpOnRunningServers, listCommand, revokeCommand, type CredentialKind } from "./credentials.js";

const personalKeys: CredentialKind = {
  kind: "apiKey",
  command: "api-key",
  noun: "personal key",
  listKey: "api_keys",
  own: [
    { key: "email", cell: ({ email }) => email ?? "" },
    { key: "roles", cell: ({ roles }) => roles.join(", ") || "-" },
  ],
  revoke: (commands, id) => commands.revokeApiKey({ id }, operator()),
};

/** `api-key`: personal keys; whoever sends one searches as that person. */
export function apiKeyCommand(): Command {
  return new Command("api-key")
    .description("personal keys: whoever sends one searches as that person")
    .addCommand(createCommand())
    .addCommand(listCommand(personalKeys))
    .addCommand(revokeCommand(personalKeys))
    .addHelpText("after", helpOnRunningServers);
}

interface CreateOptions {
  readonly email: Email;
  readonly expires?: string;
  readonly role?: readonly Role[];
  readonly json?: boolean;
}

function createCommand(): Command {
  return new Command("create")
    .description("create a personal key and show it, once")
    .requiredOption("--email <email>", "login email of the person who searches with it", parseEmail)
    .option("--expires <instant>", "when it stops working (default: never)", parseExpiry)
    .addOption(
      new Option(
        "--role <role...>",
        "what it may do besides searching: ask about the past, look after the service",
      ).choices(allRoles),
    )
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  enterprise-search api-key create --email ada@example.com
  enterprise-search api-key create --email ada@example.com --expires 2030-01-31T18:00:00Z --json
  enterprise-search api-key create --email grace@example.com --role auditor --role operator`,
    )
    .action(create);
}

async function create({ email, expires, role, json }: CreateOptions): Promise<void> {
  const expiresAt = expires ?? null;
  const roles = [...new Set(role)].sort();
  const { id, credential } = await carryOut((commands) =>
    commands.createApiKey({ email, expiresAt, roles }, operator()),
  );
  printResult(json === true, { id, email, roles, expires_at: expiresAt, key: credential }, () => credential);
  if (json !== true) note(`Personal key ${id} of ${email}: it is shown once and stored nowhere, so keep it now.`);
}
