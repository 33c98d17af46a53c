import { Command, Option } from "commander";
import { keyRoles, type KeyRole } from "../../shared/credential.js";
import type { Email } from "../../shared/ids.js";
import { languages, type Language } from "../../shared/texts.js";
import { parseEmail, parseExpiry } from "../../cli/arguments.js";
import type { CreatedApiKeyAnswer } from "../routes/apiKeys.js";
import type { Terminal } from "../../cli/terminal.js";
import { askAndPrint, withAskOptions, type AskOptions } from "../../cli/question.js";
import {
  changingCredentials,
  helpOnRunningServers,
  listCommand,
  revokeCommand,
  withInitOption,
  type CredentialKind,
} from "./credentials.js";

const personalKeys: CredentialKind = {
  command: "api-key",
  path: "/api/admin/api-keys",
  noun: "personal key",
  listKey: "api_keys",
  own: [
    ["email", ({ email }) => email ?? ""],
    ["roles", ({ roles }) => roles?.join(", ") || "-"],
    ["language", ({ language }) => language ?? "-"],
  ],
};

/** `api-key`: personal keys; a client that sends one searches as that person. */
export function apiKeyCommand(terminal: Terminal): Command {
  return new Command("api-key")
    .description("personal keys: whoever sends one searches as that person")
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(personalKeys, terminal))
    .addCommand(revokeCommand(personalKeys, terminal))
    .addHelpText("after", helpOnRunningServers);
}

interface CreateOptions extends AskOptions {
  readonly email: Email;
  readonly expires?: string;
  readonly init?: boolean;
  readonly role?: readonly KeyRole[];
  readonly language?: Language;
}

function createCommand(terminal: Terminal): Command {
  const command = withInitOption(new Command("create"))
    .description("create a personal key and show it, once")
    .requiredOption("--email <email>", "login email of the person who searches with it", parseEmail)
    .option("--expires <instant>", "when it stops working (default: never)", parseExpiry)
    .addOption(
      new Option(
        "--role <role...>",
        "what it may do besides searching: ask about the past, look after the service",
      ).choices(keyRoles),
    )
    .addOption(
      new Option(
        "--language <language>",
        "whose documents come first among equal matches (default: that of each query)",
      ).choices(languages),
    )
    .action((options: CreateOptions) => create(options, terminal));
  return withAskOptions(command, {
    examples: [
      "api-key create --email ada@example.com --language de",
      "api-key create --email ada@example.com --expires 2030-01-31T18:00:00Z --json",
      "api-key create --email grace@example.com --role auditor --role operator",
    ],
  });
}

function create(
  { email, expires, role, language, init, ...options }: CreateOptions,
  terminal: Terminal,
): Promise<void> {
  const body = { email, roles: role ?? [], language: language ?? null, expires_at: expires ?? null };
  const request = { method: "POST", path: personalKeys.path, body } as const;
  return askAndPrint<CreatedApiKeyAnswer>(
    terminal,
    options,
    changingCredentials(request, terminal, {
      mayBegin: init === true,
      inWords: ({ key }) => key,
      note: (created) =>
        `Personal key ${created.id} of ${created.email}: it is shown once and stored nowhere, so keep it now.`,
    }),
  );
}
