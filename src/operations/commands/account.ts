import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import { parseEmail } from "../../cli/arguments.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { loadConfig } from "../../cli/service.js";
import { listingAsTable, type Listing } from "../../cli/listing.js";
import { askAndPrint, withAskOptions, type AskOptions, type Question } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
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
  changingCredentials,
  credentialsIn,
  helpOnRunningServers,
  toTheMinute,
  withInitOption,
} from "./credentials.js";

const path = "/api/admin/accounts";
const pathOf = (email: Email, action: string): string => `${path}/${encodeURIComponent(email)}/${action}`;

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

interface CreateOptions extends AskOptions {
  readonly email: Email;
  readonly role?: readonly Role[];
  readonly passwordStdin?: boolean;
  readonly init?: boolean;
}

function createCommand(terminal: Terminal): Command {
  const command = withInitOption(new Command("create"))
    .description("create an account, and show a link with which its person sets a password")
    .requiredOption("--email <email>", "the person's login email", parseEmail)
    .addOption(new Option("--role <role...>", "what the person may do besides searching").choices(allRoles))
    .option("--password-stdin", "read the password from standard input, instead of showing a link")
    .action((options: CreateOptions) => create(options, terminal));
  return withAskOptions(command, {
    explanation:
      "The link is good once, for an hour. Creating service accounts takes administrator and developer both.",
    examples: [
      "account create --email ada@example.com --role administrator --role developer",
      "account create --email ada@example.com --password-stdin < password.txt",
    ],
  });
}

async function create(
  { email, role, passwordStdin, init, ...options }: CreateOptions,
  terminal: Terminal,
): Promise<void> {
  const password = passwordStdin === true ? await passwordFrom(terminal) : null;
  const request = { method: "POST", path, body: { email, roles: role ?? [], password } } as const;
  const asked = changingCredentials<CreatedAccountAnswer>(request, terminal, {
    mayBegin: init === true,
    inWords: ({ link }) => link?.url ?? `The account of ${email} is created.`,
    note: ({ link }) => link && noteOn(link, email),
  });
  await askAndPrint(terminal, options, reachably(asked, terminal));
}

/** The first line, or all of it where there is no other. */
async function passwordFrom(terminal: Terminal): Promise<string> {
  const [password = ""] = (await text(terminal.stdin)).split(/\r?\n/, 1);
  if (password === "") throw usageFailure("--password-stdin needs the password on standard input, and nothing came.");
  return password;
}

/**
 * The same, with the link where people reach the service, as far as the settings say: the one that has answered is of
 * this process, and gone by then.
 */
const reachably = <Answer extends { readonly link: AccountLinkAnswer | null }>(
  asked: Question<Answer>,
  terminal: Terminal,
): Question<Answer> => ({
  ...asked,
  ask: async (service) => {
    const answer = await asked.ask(service);
    return { ...answer, link: answer.link && reachable(answer.link, terminal) };
  },
});

function reachable({ url, expires_at }: AccountLinkAnswer, terminal: Terminal): AccountLinkAnswer {
  const { publicUrl, host, port } = loadConfig(terminal);
  const { pathname, hash } = new URL(url);
  const reached = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return { url: `${publicUrl ?? `http://${reached}:${port}`}${pathname}${hash}`, expires_at };
}

const noteOn = ({ expires_at: expiry }: AccountLinkAnswer, email: Email): string =>
  `With this link ${email} sets a password, once, until ${toTheMinute(expiry)} UTC. It is shown once and stored nowhere.`;

function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .description("list every account, disabled ones too")
    .action((options: AskOptions) =>
      askAndPrint<AccountsAnswer>(
        terminal,
        options,
        credentialsIn(path, ({ accounts }) => listingAsTable(listing, accounts)),
      ),
    );
  return withAskOptions(command, { examples: ["account list"] });
}

const listing: Listing<AccountsAnswer["accounts"][number]> = {
  columns: [
    ["email", ({ email }) => email],
    ["roles", ({ roles }) => roles.join(", ") || "-"],
    ["password", ({ has_password: hasPassword }) => (hasPassword ? "yes" : "no")],
    ["created (utc)", ({ created_at: instant }) => toTheMinute(instant)],
    ["last sign-in (utc)", ({ last_sign_in_at: instant }) => (instant === null ? "-" : toTheMinute(instant))],
    ["state", ({ state }) => state],
  ],
  none: "Nobody has an account yet. Create one: enterprise-search account create",
};

const ofAccount = (name: string, description: string): Command =>
  new Command(name).description(description).argument("<email>", "the person's login email", parseEmail);

interface RolesOptions extends AskOptions {
  readonly role?: readonly Role[];
  readonly none?: boolean;
}

function rolesCommand(terminal: Terminal): Command {
  const command = ofAccount("roles", "say which roles an account has: these, and no others")
    .addOption(new Option("--role <role...>", "one of those that the account is to have").choices(allRoles))
    .option("--none", "take all roles")
    .action((email: Email, { role, none = false, ...options }: RolesOptions) => {
      // A person who only wants to see the roles must not take them away.
      if (none === (role !== undefined))
        throw usageFailure("Say which roles the account is to have (--role), or that it is to have none (--none).");
      const request = { method: "PUT", path: pathOf(email, "roles"), body: { roles: role ?? [] } } as const;
      return askAndPrint<AccountRolesAnswer>(
        terminal,
        options,
        changingCredentials(request, terminal, {
          inWords: ({ roles }) =>
            `${email} has ${roles.length === 0 ? "no roles" : `the roles ${roles.join(", ")}`} now.`,
        }),
      );
    });
  return withAskOptions(command, {
    explanation: "A role that is taken ends the person's sessions.",
    examples: [
      "account roles ada@example.com --role administrator --role developer",
      "account roles ada@example.com --none",
    ],
  });
}

function linkCommand(terminal: Terminal): Command {
  const command = ofAccount(
    "link",
    "show a link with which somebody sets a password; an earlier one is worth nothing then",
  ).action((email: Email, options: AskOptions) => {
    const asked = changingCredentials<IssuedLinkAnswer>({ method: "POST", path: pathOf(email, "link") }, terminal, {
      inWords: ({ link }) => link.url,
      note: ({ link }) => noteOn(link, email),
    });
    return askAndPrint(terminal, options, reachably(asked, terminal));
  });
  return withAskOptions(command, { examples: ["account link ada@example.com"] });
}

function switchCommand(action: "disable" | "enable", description: string, terminal: Terminal): Command {
  const command = ofAccount(action, description).action((email: Email, options: AskOptions) =>
    askAndPrint<AccountStateAnswer>(
      terminal,
      options,
      changingCredentials({ method: "POST", path: pathOf(email, action) }, terminal, {
        inWords: ({ state }) => `The account of ${email} is ${state}.`,
      }),
    ),
  );
  return withAskOptions(command, { examples: [`account ${action} ada@example.com`] });
}
