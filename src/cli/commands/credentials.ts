import { Command } from "commander";
import type { Commands, CommandResult } from "../../../commands/commands.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import { type CredentialId, toCredentialId } from "../../shared/ids.js";
import { CliFailure } from "../cliFailure.js";
import { carryOut, withOfflineService } from "../offline.js";
import { printResult, renderTable } from "../output.js";

/** What the two kinds of credentials differ in, where they are listed and revoked. */
export interface CredentialKind {
  readonly kind: CredentialRecord["kind"];
  /** The command's name, such as `api-key`. */
  readonly command: string;
  /** For sentences, such as "personal key". */
  readonly noun: string;
  /** The key of the list under `--json`. */
  readonly listKey: string;
  /** What is shown of this kind besides id, times and state: the key under `--json`, and the cell of the table. */
  readonly own: readonly {
    readonly key: "name" | "datasources" | "email" | "roles";
    readonly cell: (record: CredentialRecord) => string;
  }[];
  revoke(commands: Commands, id: CredentialId): CommandResult<null>;
}

interface JsonOption {
  readonly json?: boolean;
}

/** `list`: every credential of the kind, as of now, oldest first. */
export function listCommand(kind: CredentialKind): Command {
  return new Command("list")
    .description(`list every ${kind.noun}, revoked and expired ones too`)
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `\nExamples:\n  enterprise-search ${kind.command} list\n  enterprise-search ${kind.command} list --json`,
    )
    .action(async ({ json }: JsonOption) => {
      const records = await listRecords(kind.kind);
      printResult(json === true, { [kind.listKey]: records.map((record) => describe(kind, record)) }, () =>
        describeForPeople(kind, records),
      );
    });
}

/** `revoke`: repeating it is no error. */
export function revokeCommand(kind: CredentialKind): Command {
  return new Command("revoke")
    .description(`make a ${kind.noun} worthless, for good`)
    .argument("<id>", "its id, as `list` shows it")
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nExample:\n  enterprise-search ${kind.command} revoke 1f0c2b7e`)
    .action(async (id: string, { json }: JsonOption) => {
      await carryOut((commands) => kind.revoke(commands, toCredentialId(id)));
      printResult(json === true, { id, revoked: true }, () => `The ${kind.noun} ${id} is revoked.`);
    });
}

function listRecords(kind: CredentialRecord["kind"]): Promise<readonly CredentialRecord[]> {
  return withOfflineService(async ({ catchUp, queries }) => {
    await catchUp();
    const answer = await queries.listCredentials({ kind, atLeast: null });
    if (!answer.ok) throw new CliFailure(`The credentials could not be listed (${answer.error.type}). Try again.`);
    return answer.value;
  });
}

/** Everything but the hash of the secret. */
function describe(kind: CredentialKind, record: CredentialRecord): object {
  const own = Object.fromEntries(kind.own.map(({ key }) => [key, record[key]]));
  return {
    id: record.id,
    ...own,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
    state: stateOf(record),
  };
}

function describeForPeople(kind: CredentialKind, records: readonly CredentialRecord[]): string {
  if (records.length === 0) return `There is no ${kind.noun} yet. Create one: enterprise-search ${kind.command} create`;
  return renderTable(
    ["ID", ...kind.own.map(({ key }) => key.toUpperCase()), "CREATED (UTC)", "EXPIRES (UTC)", "STATE"],
    records.map((record) => [
      record.id,
      ...kind.own.map(({ cell }) => cell(record)),
      toTheMinute(record.createdAt),
      record.expiresAt === null ? "never" : toTheMinute(record.expiresAt),
      stateOf(record),
    ]),
  );
}

function stateOf({ expiresAt, revokedAt }: CredentialRecord): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? "expired" : "active";
}

const toTheMinute = (instant: string): string => new Date(instant).toISOString().slice(0, 16).replace("T", " ");

/** Printed under the help of both groups of commands. */
export const helpOnRunningServers =
  "\nEach of them explains itself with --help. A running server on the same DATA_DIR obeys at once.";
