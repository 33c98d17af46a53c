import { Command } from "commander";
import type { RevokedAnswer } from "../routes/credentialTimes.js";
import type { ApiRequest } from "../../cli/apiClient.js";
import { listingAsTable, type Column, type Listing } from "../../cli/listing.js";
import { askAndPrint, withAskOptions, type AskOptions, type Question } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";

/** A credential, as lists tell of it. */
interface ListedCredential {
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
  /** What is shown of this kind besides id, times and state. */
  readonly own: readonly Column<ListedCredential>[];
}

/** `--init`, for the first credential of a service that has never run. */
export const withInitOption = (command: Command): Command =>
  command.option("--init", "make the data folder where there is none yet");

/**
 * Lists credentials or accounts, as of now. The service is that of the data folder: no key may make or revoke keys.
 */
export const credentialsIn = <Answer extends object>(
  path: string,
  inWords: (answer: Answer) => string,
): Question<Answer> => ({
  ...{ keyOf: "an operator", restsOn: answersRestOn.credentials },
  ask: (service) => service.ask({ method: "GET", path }),
  inWords,
});

/**
 * Changes something about credentials or accounts, and waits until it is projected, so that it holds when the program
 * ends: servers that run on the same folder read the same read models. Where the wait fails, it counts all the same,
 * and a secret, which is shown once, is not lost.
 */
export const changingCredentials = <Answer extends object>(
  request: ApiRequest,
  terminal: Terminal,
  said: Pick<Question<Answer>, "inWords" | "note" | "mayBegin">,
): Question<Answer> => ({
  ...{ keyOf: "an operator", restsOn: [] },
  ...said,
  ask: async (service) => {
    const answer = await service.ask<Answer>(request);
    await service
      .untilProjected(answersRestOn.credentials)
      .catch((error: Error) => terminal.note(`It is done, but not served yet: ${error.message}`));
    return answer;
  },
});

/** `list`: every credential of the kind, as of now, oldest first. */
export function listCommand(kind: CredentialKind, terminal: Terminal): Command {
  const command = new Command("list")
    .description(`list every ${kind.noun}, revoked and expired ones too`)
    .action((options: AskOptions) =>
      askAndPrint<Readonly<Record<string, readonly ListedCredential[]>>>(
        terminal,
        options,
        credentialsIn(kind.path, (answer) => listingAsTable(listingOf(kind), answer[kind.listKey] ?? [])),
      ),
    );
  return withAskOptions(command, { examples: [`${kind.command} list`, `${kind.command} list --json`] });
}

/** `revoke`: repeating it is no error. */
export function revokeCommand(kind: CredentialKind, terminal: Terminal): Command {
  const command = new Command("revoke")
    .description(`make a ${kind.noun} worthless, for good`)
    .argument("<id>", "its id, as `list` shows it")
    .action((id: string, options: AskOptions) => {
      const request = { method: "DELETE", path: `${kind.path}/${encodeURIComponent(id)}` } as const;
      const inWords = () => `The ${kind.noun} ${id} is revoked.`;
      return askAndPrint<RevokedAnswer>(terminal, options, changingCredentials(request, terminal, { inWords }));
    });
  return withAskOptions(command, { examples: [`${kind.command} revoke pDrRIAPnr1V9`] });
}

const listingOf = ({ noun, command, own }: CredentialKind): Listing<ListedCredential> => ({
  columns: [
    ["id", ({ id }) => id],
    ...own,
    ["created (utc)", ({ created_at: instant }) => toTheMinute(instant)],
    ["last used (utc)", ({ last_used_at: instant }) => (instant === null ? "-" : toTheMinute(instant))],
    ["expires (utc)", ({ expires_at: instant }) => (instant === null ? "never" : toTheMinute(instant))],
    ["state", ({ state }) => state],
  ],
  none: `There is no ${noun} yet. Create one: enterprise-search ${command} create`,
});

/** A time for people, in UTC. */
export const toTheMinute = (instant: string): string => new Date(instant).toISOString().slice(0, 16).replace("T", " ");

/** Printed under the help of both groups of commands. */
export const helpOnRunningServers =
  "\nEach of them explains itself with --help. A running server on the same DATA_DIR obeys at once.";
