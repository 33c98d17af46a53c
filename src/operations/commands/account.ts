import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import { parseEmail } from "../../cli/arguments.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { loadConfig } from "../../cli/service.js";
import { renderTable } from "../../cli/output.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { roles as allRoles, type Role } from "../../shared/credential.js";
import type { Email } from "../../shared/ids.js";
import type {
  AccountLinkAnswer,
  AccountRolesAnswer,
  AccountsAnswer,
  AccountStateAnswer,
  CreatedAccountAnswer,
  IssuedLinkAnswer,
} from "../routes/accounts.js";
import {
  changeCredentials,
  helpOnRunningServers,
  toTheMinute,
  withCredentials,
  withInitOption,
} from "./credentials.js";

const path = "/api/admin/accounts";
const pathOf = (email: Email, action: string): string => `${path}/${encodeURIComponent(email)}/${action}`;

interface JsonOption {
  readonly json?: boolean;
}

/** `account`: people who sign in to the dashboard. */
export function accountCommand(terminal: Terminal): Command {
  return new Command("account")
    .description("people who sign in to the dashboard, and what they may do there")
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(rolesCommand(terminal))
    .addCommand(linkCommand(terminal))
    .addCommand(switchCommand("disable", "sign somebody out everywhere, and let nobody sign in as them", terminal))
    .addCommand(switchCommand("enable", "let somebody sign in again, with the password and roles of before", terminal))
    .addHelpText("after", helpOnRunningServers);
}

interface CreateOptions extends JsonOption {
  readonly email: Email;
  readonly role?: readonly Role[];
  readonly passwordStdin?: boolean;
  readonly init?: boolean;
}

function createCommand(terminal: Terminal): Command {
  return withInitOption(new Command("create"))
    .description("create an account, and show a link with which its person sets a password")
    .requiredOption("--email <email>", "the person's login email", parseEmail)
    .addOption(new Option("--role <role...>", "what the person may do besides searching").choices(allRoles))
    .option("--password-stdin", "read the password from standard input, instead of showing a link")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
The link is good once, for an hour. Creating service accounts takes administrator and developer both.

Examples:
  enterprise-search account create --email ada@example.com --role administrator --role developer
  enterprise-search account create --email ada@example.com --password-stdin < password.txt`,
    )
    .action((options: CreateOptions) => create(options, terminal));
}

async function create({ email, role, passwordStdin, init, json }: CreateOptions, terminal: Terminal): Promise<void> {
  const password = passwordStdin === true ? await passwordFrom(terminal) : null;
  const body = { email, roles: role ?? [], password };
  const options = { init: init === true };
  const created = await changeCredentials<CreatedAccountAnswer>({ method: "POST", path, body }, terminal, options);
  const link = created.link === null ? null : reachable(created.link, terminal);
  terminal.printResult(json === true, { ...created, link }, () => link?.url ?? `The account of ${email} is created.`);
  if (json !== true && link !== null) noteLink(link, email, terminal);
}

/** The first line, or all of it where there is no other. */
async function passwordFrom(terminal: Terminal): Promise<string> {
  const [password = ""] = (await text(terminal.stdin)).split(/\r?\n/, 1);
  if (password === "") throw usageFailure("--password-stdin needs the password on standard input, and nothing came.");
  return password;
}

/**
 * The link where people reach the service, as far as the settings say: the one that has answered is of this process,
 * and gone by then.
 */
function reachable({ url, expires_at }: AccountLinkAnswer, terminal: Terminal): AccountLinkAnswer {
  const { publicUrl, host, port } = loadConfig(terminal);
  const { pathname, hash } = new URL(url);
  const reached = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return { url: `${publicUrl ?? `http://${reached}:${port}`}${pathname}${hash}`, expires_at };
}

const noteLink = ({ expires_at: expiry }: AccountLinkAnswer, email: Email, terminal: Terminal): void =>
  terminal.note(
    `With this link ${email} sets a password, once, until ${toTheMinute(expiry)} UTC. It is shown once and stored nowhere.`,
  );

function listCommand(terminal: Terminal): Command {
  return new Command("list")
    .description("list every account, disabled ones too")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  enterprise-search account list")
    .action(async ({ json }: JsonOption) => {
      const answer = await withCredentials(terminal, async (service) => {
        await service.untilProjected(answersRestOn.credentials);
        return service.ask<AccountsAnswer>({ method: "GET", path });
      });
      terminal.printResult(json === true, answer, () => describeForPeople(answer));
    });
}

function describeForPeople({ accounts }: AccountsAnswer): string {
  if (accounts.length === 0) return "Nobody has an account yet. Create one: enterprise-search account create";
  return renderTable(
    ["EMAIL", "ROLES", "PASSWORD", "CREATED (UTC)", "LAST SIGN-IN (UTC)", "STATE"],
    accounts.map((account) => [
      account.email,
      account.roles.join(", ") || "-",
      account.has_password ? "yes" : "no",
      toTheMinute(account.created_at),
      account.last_sign_in_at === null ? "-" : toTheMinute(account.last_sign_in_at),
      account.state,
    ]),
  );
}

interface RolesOptions extends JsonOption {
  readonly role?: readonly Role[];
  readonly none?: boolean;
}

function rolesCommand(terminal: Terminal): Command {
  return new Command("roles")
    .description("say which roles an account has: these, and no others")
    .argument("<email>", "the person's login email", parseEmail)
    .addOption(new Option("--role <role...>", "one of those that the account is to have").choices(allRoles))
    .option("--none", "take all roles")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
A role that is taken ends the person's sessions.

Examples:
  enterprise-search account roles ada@example.com --role administrator --role developer
  enterprise-search account roles ada@example.com --none`,
    )
    .action(async (email: Email, { role, none = false, json }: RolesOptions) => {
      // A person who only wants to see the roles must not take them away.
      if (none === (role !== undefined))
        throw usageFailure("Say which roles the account is to have (--role), or that it is to have none (--none).");
      const request = { method: "PUT", path: pathOf(email, "roles"), body: { roles: role ?? [] } } as const;
      const answer = await changeCredentials<AccountRolesAnswer>(request, terminal);
      terminal.printResult(
        json === true,
        answer,
        () => `${email} has ${answer.roles.length === 0 ? "no roles" : `the roles ${answer.roles.join(", ")}`} now.`,
      );
    });
}

function linkCommand(terminal: Terminal): Command {
  return new Command("link")
    .description("show a link with which somebody sets a password; an earlier one is worth nothing then")
    .argument("<email>", "the person's login email", parseEmail)
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  enterprise-search account link ada@example.com")
    .action(async (email: Email, { json }: JsonOption) => {
      const request = { method: "POST", path: pathOf(email, "link") } as const;
      const answer = await changeCredentials<IssuedLinkAnswer>(request, terminal);
      const link = reachable(answer.link, terminal);
      terminal.printResult(json === true, { ...answer, link }, () => link.url);
      if (json !== true) noteLink(link, email, terminal);
    });
}

function switchCommand(action: "disable" | "enable", description: string, terminal: Terminal): Command {
  return new Command(action)
    .description(description)
    .argument("<email>", "the person's login email", parseEmail)
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nExample:\n  enterprise-search account ${action} ada@example.com`)
    .action(async (email: Email, { json }: JsonOption) => {
      const answer = await changeCredentials<AccountStateAnswer>(
        { method: "POST", path: pathOf(email, action) },
        terminal,
      );
      terminal.printResult(json === true, answer, () => `The account of ${email} is ${answer.state}.`);
    });
}
