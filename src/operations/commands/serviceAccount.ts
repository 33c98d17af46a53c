import { Command, InvalidArgumentError } from "commander";
import { isLongerThan } from "../../http/validation/characters.js";
import { parseDatasourceName, parseExpiry } from "../../cli/arguments.js";
import type { CreatedServiceAccountAnswer, RotatedServiceAccountAnswer } from "../routes/serviceAccounts.js";
import type { Terminal } from "../../cli/terminal.js";
import {
  changeCredentials,
  createCredential,
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
    { key: "name", cell: ({ name }) => name ?? "" },
    {
      key: "datasources",
      cell: ({ datasources, datasources_gone: gone = [] }) =>
        datasources?.map((name) => (gone.includes(name) ? `${name} (gone)` : name)).join(" ") ?? "all",
    },
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

interface CreateOptions {
  readonly name: string;
  readonly datasource?: readonly string[];
  readonly expires?: string;
  readonly init?: boolean;
  readonly json?: boolean;
}

function createCommand(terminal: Terminal): Command {
  return withInitOption(new Command("create"))
    .description("create a service account and show its token, once")
    .requiredOption("--name <name>", "what it is for; shown in lists", parseName)
    .option("--datasource <name...>", "limit it to these datasources (default: all)", collectDatasource)
    .option("--expires <instant>", "when it stops working (default: never)", parseExpiry)
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
A limit is for the datasource that has the name now, or, where there is none yet, for the one that the account finds
first. Once that was deleted it opens nothing, whatever is registered under the name later.

Examples:
  enterprise-search service-account create --name wiki-sync
  enterprise-search service-account create --name hr-sync --datasource hr payroll --expires 2030-01-31 --json`,
    )
    .action((options: CreateOptions) => create(options, terminal));
}

async function create({ name, datasource, expires, init, json }: CreateOptions, terminal: Terminal): Promise<void> {
  const asked = { name, datasources: datasource ?? null, expires_at: expires ?? null };
  const created = await createCredential<CreatedServiceAccountAnswer>(
    serviceAccounts,
    { asked, init: init === true },
    terminal,
  );
  terminal.printResult(json === true, created, () => created.token);
  if (json !== true)
    terminal.note(`Token of service account ${created.id}: it is shown once and stored nowhere, so keep it now.`);
}

interface RotateOptions {
  readonly overlapHours?: number;
  readonly json?: boolean;
}

const longestOverlapHours = 720;

function rotateCommand(terminal: Terminal): Command {
  return new Command("rotate")
    .description("give a service account a new token beside the one it has, which ends after an overlap")
    .argument("<id>", "its id, as `list` shows it")
    .option("--overlap-hours <hours>", "for so long both work (default: 24)", parseHours)
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  enterprise-search service-account rotate pDrRIAPnr1V9
  enterprise-search service-account rotate pDrRIAPnr1V9 --overlap-hours 0`,
    )
    .action(async (id: string, { overlapHours, json }: RotateOptions) => {
      const path = `${serviceAccounts.path}/${encodeURIComponent(id)}/rotate`;
      const body = { overlap_hours: overlapHours ?? null };
      const rotated = await changeCredentials<RotatedServiceAccountAnswer>({ method: "POST", path, body }, terminal);
      terminal.printResult(json === true, rotated, () => rotated.token);
      if (json !== true)
        terminal.note(
          `New token of service account ${id}: it is shown once and stored nowhere, so keep it now. The one before works until ${toTheMinute(rotated.previous_token_ends_at)} UTC.`,
        );
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
