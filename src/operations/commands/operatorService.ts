import type { Command } from "commander";
import type { CommandContext } from "../../../commands/commands.js";
import type { UndoAnswer, UndoRequest } from "../undo/undo.js";
import type {
  ParkedAnswer,
  VerificationAnswer,
  VerificationProgress,
  VerifyReadModel,
} from "../verify/verification.js";
import type { QueryFailure } from "../../../queries/queries.js";
import { projectionKinds, readModelNames } from "../../events/projection.js";
import type { OfflineService } from "../../main.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { ApiClient, describeAnswer } from "../../cli/apiClient.js";
import { parseHttpUrl } from "../../cli/arguments.js";
import { CliFailure, usageFailure } from "../../cli/cliFailure.js";
import { operator, rejectionSentence, withOfflineService } from "../../cli/offline.js";
import { linesIn } from "../../cli/lines.js";
import { note } from "../../cli/output.js";

/** What every command of an operator takes besides its own options. */
export interface OperatorOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** What operators do about what is wrong: at a running service, or on the data folder. */
export interface OperatorService {
  verify(
    question: VerifyReadModel,
    repair: boolean,
    onProgress: (progress: VerificationProgress) => void,
  ): Promise<VerificationAnswer>;
  parked(name: string): Promise<ParkedAnswer>;
  /** null: all of them. */
  retry(name: string, position: string | null): Promise<ParkedAnswer>;
  discard(name: string, position: string): Promise<ParkedAnswer>;
  undo(request: UndoRequest, dryRun: boolean): Promise<UndoAnswer>;
}

/** Adds the options of {@link OperatorOptions}, and examples. */
export function withOperatorOptions(command: Command, examples: readonly string[]): Command {
  return command
    .option(
      "--url <address>",
      "at the service there, with the operator's key in ENTERPRISE_SEARCH_KEY, instead of on the data folder",
      parseHttpUrl,
    )
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nExamples:\n${examples.map((example) => `  enterprise-search ${example}`).join("\n")}`);
}

/** Works with the service that the options name, or on the data folder, beside a running server or not. */
export function withOperator<Value>(
  { url }: OperatorOptions,
  use: (service: OperatorService) => Promise<Value>,
): Promise<Value> {
  return url === undefined
    ? withOfflineService((service) => service.projecting(() => use(here(service))))
    : use(there(url));
}

function here(service: OfflineService): OperatorService {
  const { commands, verification, undo } = service;
  const written = async (
    command: (context: CommandContext) => ReturnType<typeof commands.retryParked>,
  ): Promise<Position> => {
    const outcome = await command(operator());
    if (outcome.ok) return outcome.value.position ?? beginning;
    throw new CliFailure(rejectionSentence(outcome.error));
  };
  const parkedAt = async (name: string, position: string | null): Promise<ParkedAnswer> => {
    const answer = await verification.parked(known(name));
    const parked = answer.parked.filter((event) => position === null || event.position === position);
    if (position !== null && parked.length === 0)
      throw new CliFailure(
        `No event at position ${position} is parked in ${name}. The command \`projections parked list\` shows them.`,
      );
    return { ...answer, parked };
  };
  return {
    verify: async (question, repair, onProgress) => {
      const ask = (version: number, scopes: readonly string[]): Promise<Position> =>
        written((context) => commands.repairReadModel({ name: question.name, version, scopes }, context));
      const answer = await besideVersion(service, question, () =>
        verification.verify({ ...question, name: known(question.name) }, repair ? ask : null, { onProgress }),
      );
      if (answer.ok) return answer.value;
      throw new CliFailure(failureSentence(question, answer.error.type));
    },
    parked: (name) => verification.parked(known(name)),
    retry: async (name, position) => {
      const { version, parked } = await parkedAt(name, position);
      const ofEachScope = parked.filter(
        ({ scope }, index) => parked.findIndex((event) => event.scope === scope) === index,
      );
      for (const event of ofEachScope)
        await verification.settled(
          name,
          await written((context) =>
            commands.retryParked({ name, version, position: toPosition(BigInt(event.position)) }, context),
          ),
        );
      return verification.parked(name);
    },
    discard: async (name, position) => {
      const { version, parked } = await parkedAt(name, position);
      for (const { event } of parked)
        await verification.settled(
          name,
          await written((context) =>
            commands.discardParked(
              { name, version, position: toPosition(BigInt(position)), eventType: event },
              context,
            ),
          ),
        );
      return verification.parked(name);
    },
    undo: (request, dryRun) => (dryRun ? undo.preview(request) : undo.carryOut(request, operator())),
  };
}

/** What is to be held against the log has to follow it, also where no server does that. */
async function besideVersion<Value>(
  { projections, bringUp }: OfflineService,
  { name, version }: VerifyReadModel,
  work: () => Promise<Value>,
): Promise<Value> {
  const readModel = readModelNames.find((other) => other === name);
  if (readModel === undefined || version === undefined || projections.of(readModel).underWay?.version !== version)
    return work();
  const over = new AbortController();
  const following = bringUp(readModel, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await following;
  }
}

function failureSentence({ name, version }: VerifyReadModel, type: QueryFailure["type"]): string {
  if (type === "NotComparable") return `${name} answers no questions of its own: there is nothing to compare.`;
  if (type === "VersionNotFound")
    return `${name} has no version ${version}. The command \`projections status\` shows them.`;
  if (type === "VersionStandsStill")
    return `Version ${version} of ${name} was served before and stands still, so it cannot be held against the log. The one that is served, and one that is being built, can.`;
  return `${name} does not come as far as the log. Look at \`projections status\`, and try again.`;
}

function known(name: string): string {
  if (Object.hasOwn(projectionKinds, name)) return name;
  throw new CliFailure(
    `There is no projection named ${JSON.stringify(name)}. There are: ${Object.keys(projectionKinds).join(", ")}.`,
  );
}

interface VerifyLine {
  readonly progress?: Partial<VerificationProgress>;
  readonly answer?: VerificationAnswer;
  readonly failure?: { readonly status: number; readonly detail: string };
}

/** The last part of an answer that says how far it is until it is there. */
async function lastAnswer(
  body: AsyncIterable<Uint8Array>,
  onProgress: (progress: VerificationProgress) => void,
): Promise<VerificationAnswer> {
  for await (const line of linesIn(body)) {
    const { progress, answer, failure } = JSON.parse(line) as VerifyLine;
    if (answer !== undefined) return answer;
    if (failure !== undefined)
      throw new CliFailure(describeAnswer({ status: failure.status, body: failure, consistencyToken: null }));
    if (progress?.done !== undefined) onProgress({ compared: progress.compared ?? 0, done: progress.done });
  }
  throw new CliFailure("The answer broke off before its last line. Run the command again.");
}

function there(url: string): OperatorService {
  const credential = process.env["ENTERPRISE_SEARCH_KEY"];
  if (credential === undefined || !/^[\x21-\x7e]+$/.test(credential))
    throw usageFailure(
      "--url needs the personal key of an operator there, in the environment variable ENTERPRISE_SEARCH_KEY.",
    );
  const client = new ApiClient({ url, credential, onRetry: (reason) => note(`The service ${reason}; trying again.`) });
  const ask = async <Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> => {
    const answer = await client.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status === 200) return answer.body as Answer;
    throw answer.status === 422 ? usageFailure(describeAnswer(answer)) : new CliFailure(describeAnswer(answer));
  };
  const of = (name: string): string => `/api/admin/projections/${encodeURIComponent(name)}`;
  return {
    verify: async ({ name, ...question }, repair, onProgress) =>
      lastAnswer(
        await client.stream({
          method: "POST",
          path: `${of(name)}/verify`,
          body: { ...question, repair },
          accept: "application/x-ndjson",
        }),
        onProgress,
      ),
    parked: (name) => ask("GET", `${of(name)}/parked`),
    retry: (name, position) => ask("POST", `${of(name)}/parked/retry`, position === null ? {} : { position }),
    discard: (name, position) => ask("POST", `${of(name)}/parked/discard`, { position }),
    undo: ({ from, to, by }, dryRun) =>
      ask("POST", "/api/admin/undo", { from: from.toString(), to: to.toString(), credential: by, dry_run: dryRun }),
  };
}
