import type { Command } from "commander";
import { setTimeout as sleep } from "node:timers/promises";
import { readModelNames, type ReadModelName } from "../../events/projection.js";
import type { ProjectionsAnswer, ProjectionStatus } from "../../readModels/projectionStatus.js";
import { ApiClient, describeAnswer, type ApiAnswer } from "../../cli/apiClient.js";
import { parseHttpUrl } from "../../cli/arguments.js";
import { CliFailure, usageFailure } from "../../cli/cliFailure.js";
import { accepted, operator, withOfflineService } from "../../cli/offline.js";
import { note } from "../../cli/output.js";
import type { OfflineService } from "../../main.js";

/** What every command on projections takes besides its own options. */
export interface ProjectionsOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export interface RebuildOptions {
  readonly verify: boolean;
  readonly keep: number;
  readonly accept: boolean;
}

/** Projections of a running service, or of the data folder: the same commands, the same answers. */
export interface ProjectionsService {
  list(): Promise<ProjectionsAnswer>;
  rebuild(name: string, options: RebuildOptions): Promise<void>;
  accept(name: string): Promise<void>;
  rollBack(name: string): Promise<void>;
  drop(name: string, version: number): Promise<void>;
  pause(name: string): Promise<void>;
  resume(name: string): Promise<void>;
  /** Does the work itself where no server does; ends with the signal. */
  workBeside(name: string, signal: AbortSignal): Promise<void>;
  /** Frees what dropped versions have stored. */
  free(): Promise<void>;
}

/** Adds the options of {@link ProjectionsOptions}, and examples. */
export function withProjectionsOptions(command: Command, examples: readonly string[]): Command {
  return command
    .option(
      "--url <address>",
      "of the service there, with the operator's key in ENTERPRISE_SEARCH_KEY, instead of the data folder",
      parseHttpUrl,
    )
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `\nExamples:\n${examples.map((example) => `  enterprise-search projections ${example}`).join("\n")}`,
    );
}

/** Uses the projections of the service that the options name, or of the data folder, beside a running server or not. */
export function withProjections<Value>(
  { url }: ProjectionsOptions,
  use: (projections: ProjectionsService) => Promise<Value>,
): Promise<Value> {
  return url === undefined ? withOfflineService((service) => use(here(service))) : use(there(url));
}

/** The status of one projection; fails with a sentence where there is none of this name. */
export function statusOf({ projections }: ProjectionsAnswer, name: string): ProjectionStatus {
  const status = projections.find((candidate) => candidate.name === name);
  if (status !== undefined) return status;
  throw new CliFailure(
    `There is no projection named ${JSON.stringify(name)}. There are: ${projections.map((other) => other.name).join(", ")}.`,
  );
}

/** A server that runs on the folder is given so long to begin. */
const serversTurnMs = 2_000;

function here({ commands, overview, bringUp, freeDropped }: OfflineService): ProjectionsService {
  const give = async (
    carryOut: (context: ReturnType<typeof operator>) => ReturnType<typeof commands.acceptVersion>,
  ): Promise<void> => {
    const outcome = await carryOut(operator());
    await accepted(Promise.resolve(outcome));
    if (outcome.ok && outcome.value.position !== null) await overview.settle(outcome.value.position);
  };
  return {
    list: () => overview.list(),
    rebuild: (name, { accept, ...how }) =>
      give((context) => commands.rebuildProjection({ name, accepted: accept, ...how }, context)),
    accept: (name) => give((context) => commands.acceptVersion({ name }, context)),
    rollBack: (name) => give((context) => commands.rollBackProjection({ name }, context)),
    drop: (name, version) => give((context) => commands.dropVersion({ name, version }, context)),
    pause: (name) => give((context) => commands.pauseProjection({ name }, context)),
    resume: (name) => give((context) => commands.resumeProjection({ name }, context)),
    workBeside: async (name, signal) => {
      if (!readModelNames.some((other) => other === name)) return;
      await sleep(serversTurnMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await bringUp(name as ReadModelName, signal);
    },
    free: freeDropped,
  };
}

function there(url: string): ProjectionsService {
  const credential = process.env["ENTERPRISE_SEARCH_KEY"];
  if (credential === undefined || !/^[\x21-\x7e]+$/.test(credential))
    throw usageFailure(
      "--url needs the personal key of an operator there, in the environment variable ENTERPRISE_SEARCH_KEY.",
    );
  const client = new ApiClient({ url, credential, onRetry: (reason) => note(`The service ${reason}; trying again.`) });
  const answered = async (request: Promise<ApiAnswer>): Promise<ApiAnswer> => {
    const answer = await request;
    if (answer.status === 200) return answer;
    throw answer.status === 422 ? usageFailure(describeAnswer(answer)) : new CliFailure(describeAnswer(answer));
  };
  const post = async (name: string, action: string, body: object = {}): Promise<void> =>
    void (await answered(
      client.request({ method: "POST", path: `/api/admin/projections/${encodeURIComponent(name)}/${action}`, body }),
    ));
  return {
    list: async () =>
      (await answered(client.request({ method: "GET", path: "/api/admin/projections" }))).body as ProjectionsAnswer,
    rebuild: (name, options) => post(name, "rebuild", options),
    accept: (name) => post(name, "accept"),
    rollBack: (name) => post(name, "rollback"),
    drop: (name, version) => post(name, "drop", { version }),
    pause: (name) => post(name, "pause"),
    resume: (name) => post(name, "resume"),
    workBeside: async () => undefined,
    free: async () => undefined,
  };
}
