import { Command, InvalidArgumentError } from "commander";
import { isLongerThan } from "../../http/validation/characters.js";
import { parseDatasourceName, parseExpiry } from "../../cli/arguments.js";
import type { CreatedServiceAccountAnswer, RotatedServiceAccountAnswer } from "../routes/serviceAccounts.js";
import type { Terminal } from "../../cli/terminal.js";
import { askAndPrint, withAskOptions, type AskOptions } from "../../cli/question.js";
import {
  changingCredentials,
  helpOnRunningServers,
  listCommand,
  revokeCommand,
  toTheMinute,
  withInitOption,
  type CredentialKind,
} from "./credentials.js";

const serviceAccounts: CredentialKind = {
  command: "service-account",
  path: "/api/admin/service-accounts",
  noun: "service account",
  listKey: "service_accounts",
  own: [
    ["name", ({ name }) => name ?? ""],
    [
      "datasources",
      ({ datasources, datasources_gone: gone = [] }) =>
        datasources?.map((name) => (gone.includes(name) ? `${name} (gone)` : name)).join(" ") ?? "all",
    ],
  ],
};

/** `service-account`: credentials of programs that push documents, users and groups. */
export function serviceAccountCommand(terminal: Terminal): Command {
  return new Command("service-account")
    .description("tokens of programs that push documents, users and groups")
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(serviceAccounts, terminal))
    .addCommand(rotateCommand(terminal))
    .addCommand(revokeCommand(serviceAccounts, terminal))
    .addHelpText("after", helpOnRunningServers);
}

interface CreateOptions extends AskOptions {
  readonly name: string;
  readonly datasource?: readonly string[];
  readonly expires?: string;
  readonly init?: boolean;
}

function createCommand(terminal: Terminal): Command {
  const command = withInitOption(new Command("create"))
    .description("create a service account and show its token, once")
    .requiredOption("--name <name>", "what it is for; shown in lists", parseName)
    .option("--datasource <name...>", "limit it to these datasources (default: all)", collectDatasource)
    .option("--expires <instant>", "when it stops working (default: never)", parseExpiry)
    .action((options: CreateOptions) => create(options, terminal));
  return withAskOptions(command, {
    explanation: `A limit is for the datasource that has the name now, or, where there is none yet, for the one that the account finds
first. Once that was deleted it opens nothing, whatever is registered under the name later.`,
    examples: [
      "service-account create --name wiki-sync",
      "service-account create --name hr-sync --datasource hr payroll --expires 2030-01-31 --json",
    ],
  });
}

function create({ name, datasource, expires, init, ...options }: CreateOptions, terminal: Terminal): Promise<void> {
  const body = { name, datasources: datasource ?? null, expires_at: expires ?? null };
  const request = { method: "POST", path: serviceAccounts.path, body } as const;
  return askAndPrint<CreatedServiceAccountAnswer>(
    terminal,
    options,
    changingCredentials(request, terminal, {
      mayBegin: init === true,
      inWords: ({ token }) => token,
      note: ({ id }) => `Token of service account ${id}: it is shown once and stored nowhere, so keep it now.`,
    }),
  );
}

interface RotateOptions extends AskOptions {
  readonly overlapHours?: number;
}

const longestOverlapHours = 720;

function rotateCommand(terminal: Terminal): Command {
  const command = new Command("rotate")
    .description("give a service account a new token beside the one it has, which ends after an overlap")
    .argument("<id>", "its id, as `list` shows it")
    .option("--overlap-hours <hours>", "for so long both work (default: 24)", parseHours)
    .action((id: string, { overlapHours, ...options }: RotateOptions) => {
      const path = `${serviceAccounts.path}/${encodeURIComponent(id)}/rotate`;
      const request = { method: "POST", path, body: { overlap_hours: overlapHours ?? null } } as const;
      return askAndPrint<RotatedServiceAccountAnswer>(
        terminal,
        options,
        changingCredentials(request, terminal, {
          inWords: ({ token }) => token,
          note: ({ previous_token_ends_at: end }) =>
            `New token of service account ${id}: it is shown once and stored nowhere, so keep it now. The one before works until ${toTheMinute(end)} UTC.`,
        }),
      );
    });
  return withAskOptions(command, {
    examples: ["service-account rotate pDrRIAPnr1V9", "service-account rotate pDrRIAPnr1V9 --overlap-hours 0"],
  });
}

function parseHours(text: string): number {
  const hours = Number(text);
  if (/^\d{1,3}$/.test(text) && hours <= longestOverlapHours) return hours;
  throw new InvalidArgumentError(`Write a whole number of hours from 0 to ${longestOverlapHours}.`);
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || isLongerThan(name, 200)) throw new InvalidArgumentError("A name has 1 to 200 characters.");
  return name;
}

const collectDatasource = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  parseDatasourceName(text),
];
