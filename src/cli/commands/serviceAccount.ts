import { Command, InvalidArgumentError } from "commander";
import { toDatasourceName } from "../../shared/ids.js";
import { isLongerThan } from "../../validation/characters.js";
import { parseDatasourceName } from "../arguments.js";
import { parseExpiry } from "../instants.js";
import { carryOut, operator } from "../offline.js";
import { note, printResult } from "../output.js";
import { helpOnRunningServers, listCommand, revokeCommand, type CredentialKind } from "./credentials.js";

const serviceAccounts: CredentialKind = {
  kind: "serviceAccount",
  command: "service-account",
  noun: "service account",
  listKey: "service_accounts",
  own: [
    { key: "name", cell: ({ name }) => name ?? "" },
    { key: "datasources", cell: ({ datasources }) => datasources?.join(" ") ?? "all" },
  ],
  revoke: (commands, id) => commands.revokeServiceAccount({ id }, operator()),
};

/** `service-account`: credentials of programs that push documents, users and groups. */
export function serviceAccountCommand(): Command {
  return new Command("service-account")
    .description("tokens of programs that push documents, users and groups")
    .addCommand(createCommand())
    .addCommand(listCommand(serviceAccounts))
    .addCommand(revokeCommand(serviceAccounts))
    .addHelpText("after", helpOnRunningServers);
}

interface CreateOptions {
  readonly name: string;
  readonly datasource?: readonly string[];
  readonly expires?: string;
  readonly json?: boolean;
}

function createCommand(): Command {
  return new Command("create")
    .description("create a service account and show its token, once")
    .requiredOption("--name <name>", "what it is for; shown in lists", parseName)
    .option("--datasource <name...>", "limit it to these datasources (default: all)", collectDatasource)
    .option("--expires <instant>", "when it stops working (default: never)", parseExpiry)
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  enterprise-search service-account create --name wiki-sync
  enterprise-search service-account create --name hr-sync --datasource hr payroll --expires 2030-01-31 --json`,
    )
    .action(create);
}

async function create({ name, datasource, expires, json }: CreateOptions): Promise<void> {
  const datasources = datasource?.map(toDatasourceName) ?? null;
  const expiresAt = expires ?? null;
  const { id, credential } = await carryOut((commands) =>
    commands.createServiceAccount({ name, datasources, expiresAt }, operator()),
  );
  printResult(json === true, { id, name, datasources, expires_at: expiresAt, token: credential }, () => credential);
  if (json !== true) note(`Token of service account ${id}: it is shown once and stored nowhere, so keep it now.`);
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
