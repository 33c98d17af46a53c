import { Command } from "commander";
import type { RevokedAnswer } from "../routes/credentialTimes.js";
import type { ApiRequest } from "../../cli/apiClient.js";
import { renderTable } from "../../cli/output.js";
import { withService, type Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";

/** A credential, as lists tell of it. */
export interface ListedCredential {
  readonly id: string;
  readonly name?: string | null;
  readonly datasources?: readonly string[] | null;
  readonly datasources_gone?: readonly string[];
  readonly email?: string | null;
  readonly roles?: readonly string[];
  readonly language?: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly state: "active" | "expired" | "revoked";
}

/** What the two kinds of credentials differ in. */
export interface CredentialKind {
  /** The command's name, such as `api-key`. */
  readonly command: string;
  /** The route that lists and creates them. */
  readonly path: string;
  /** For sentences, such as "personal key". */
  readonly noun: string;
  /** The key of the list under `--json`. */
  readonly listKey: string;
  /** What is shown of this kind besides id, times and state: the key under `--json`, and the cell of the table. */
  readonly own: readonly {
    readonly key: "name" | "datasources" | "email" | "roles" | "language";
    readonly cell: (credential: ListedCredential) => string;
  }[];
}

/** `--init`, for the first credential of a service that has never run. */
export const withInitOption = (command: Command): Command =>
  command.option("--init", "make the data folder where there is none yet");

interface JsonOption {
  readonly json?: boolean;
}

/** The service of the data folder: no key may make or revoke keys. `mayBegin`: the folder may be made for it. */
export const withCredentials = <Value>(
  terminal: Terminal,
  use: (service: Service) => Promise<Value>,
  mayBegin = false,
): Promise<Value> => withService(terminal, { keyOf: "an operator", projecting: true, mayBegin }, use);

/**
 * Changes something about credentials or accounts, and waits until it is projected, so that it holds when the program
 * ends: servers that run on the same folder read the same read models. Where the wait fails, it counts all the same,
 * and a secret, which is shown once, is not lost. `init`: the data folder may be made for it.
 */
export const changeCredentials = <Answer>(
  request: ApiRequest,
  terminal: Terminal,
  { init }: { readonly init: boolean } = { init: false },
): Promise<Answer> =>
  withCredentials(
    terminal,
    async (service) => {
      const answer = await service.ask<Answer>(request);
      await untilServed(service, terminal);
      return answer;
    },
    init,
  );

/** Creates a credential, as {@link changeCredentials} does. */
export const createCredential = <Created>(
  { path }: CredentialKind,
  { asked, init }: { readonly asked: object; readonly init: boolean },
  terminal: Terminal,
): Promise<Created> => changeCredentials({ method: "POST", path, body: asked }, terminal, { init });

const untilServed = (service: Service, terminal: Terminal): Promise<void> =>
  service
    .untilProjected(answersRestOn.credentials)
    .catch((error: Error) => terminal.note(`It is done, but not served yet: ${error.message}`));

/** `list`: every credential of the kind, as of now, oldest first. */
export function listCommand(kind: CredentialKind, terminal: Terminal): Command {
  return new Command("list")
    .description(`list every ${kind.noun}, revoked and expired ones too`)
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `\nExamples:\n  enterprise-search ${kind.command} list\n  enterprise-search ${kind.command} list --json`,
    )
    .action(async ({ json }: JsonOption) => {
      const answer = await withCredentials(terminal, async (service) => {
        await service.untilProjected(answersRestOn.credentials);
        return service.ask<Record<string, readonly ListedCredential[]>>({ method: "GET", path: kind.path });
      });
      terminal.printResult(json === true, answer, () => describeForPeople(kind, answer[kind.listKey] ?? []));
    });
}

/** `revoke`: repeating it is no error. */
export function revokeCommand(kind: CredentialKind, terminal: Terminal): Command {
  return new Command("revoke")
    .description(`make a ${kind.noun} worthless, for good`)
    .argument("<id>", "its id, as `list` shows it")
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nExample:\n  enterprise-search ${kind.command} revoke pDrRIAPnr1V9`)
    .action(async (id: string, { json }: JsonOption) => {
      const path = `${kind.path}/${encodeURIComponent(id)}`;
      const revoked = await changeCredentials<RevokedAnswer>({ method: "DELETE", path }, terminal);
      terminal.printResult(json === true, revoked, () => `The ${kind.noun} ${id} is revoked.`);
    });
}

function describeForPeople(kind: CredentialKind, credentials: readonly ListedCredential[]): string {
  if (credentials.length === 0)
    return `There is no ${kind.noun} yet. Create one: enterprise-search ${kind.command} create`;
  return renderTable(
    [
      "ID",
      ...kind.own.map(({ key }) => key.toUpperCase()),
      ...["CREATED (UTC)", "LAST USED (UTC)", "EXPIRES (UTC)", "STATE"],
    ],
    credentials.map((credential) => [
      credential.id,
      ...kind.own.map(({ cell }) => cell(credential)),
      toTheMinute(credential.created_at),
      credential.last_used_at === null ? "-" : toTheMinute(credential.last_used_at),
      credential.expires_at === null ? "never" : toTheMinute(credential.expires_at),
      credential.state,
    ]),
  );
}

/** A time for people, in UTC. */
export const toTheMinute = (instant: string): string => new Date(instant).toISOString().slice(0, 16).replace("T", " ");

/** Printed under the help of both groups of commands. */
export const helpOnRunningServers =
  "\nEach of them explains itself with --help. A running server on the same DATA_DIR obeys at once.";
