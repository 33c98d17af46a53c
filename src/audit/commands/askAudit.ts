import type { Command } from "commander";
import type { AuditQueries } from "../auditQueries.js";
import type { QueryFailure, QueryResult } from "../../../queries/queries.js";
import type { QueryString } from "../../validation/queryString.js";
import type { Checked } from "../../validation/requestBodies.js";
import { ApiClient, describeAnswer, type ApiAnswer } from "../../cli/apiClient.js";
import { parseHttpUrl } from "../../cli/arguments.js";
import { CliFailure, usageFailure } from "../../cli/cliFailure.js";
import { withOfflineService } from "../../cli/offline.js";
import { note } from "../../cli/output.js";
import { describeIssues, issuesIn } from "./describeIssues.js";
import { showingHistoryProgress } from "./showingHistoryProgress.js";

/** What every question about the past takes besides its own options. */
export interface AuditOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** A question, as it goes over HTTP and as it is asked on the data folder. */
export interface AuditQuestion<Question, Answer> {
  /** Such as `access`, for `GET /api/audit/access`. */
  readonly name: string;
  check(parameters: QueryString): Checked<Question>;
  ask(audit: AuditQueries, question: Question): QueryResult<Answer>;
}

/** Adds the options of {@link AuditOptions}, and what is to be said about them. */
export function withAuditOptions(command: Command, examples: readonly string[]): Command {
  return withAddress(command)
    .option("--json", "print one JSON object")
    .option("--csv", "print comma-separated values")
    .addHelpText(
      "after",
      `\nA moment is an ISO 8601 time, such as 2026-01-31T18:00:00Z, or names a place in\nthe log exactly: a consistency token, or the position of an event.\n\nExamples:\n${examples.map((example) => `  enterprise-search ${example}`).join("\n")}`,
    );
}

/** Adds the option by which a question goes to a service instead of the data folder. */
export const withAddress = (command: Command): Command =>
  command.option(
    "--url <address>",
    "ask the service there, with the auditor's key in ENTERPRISE_SEARCH_KEY, instead of the data folder",
    parseHttpUrl,
  );

/** Speaks to the service at an address with the auditor's key. */
export function auditClient(url: string): ApiClient {
  const credential = process.env["ENTERPRISE_SEARCH_KEY"];
  if (credential === undefined || !/^[\x21-\x7e]+$/.test(credential))
    throw usageFailure(
      "--url needs the personal key of an auditor there, in the environment variable ENTERPRISE_SEARCH_KEY.",
    );
  return new ApiClient({ url, credential, onRetry: (reason) => note(`The service ${reason}; trying again.`) });
}

/** Asks with parameters as they go over HTTP; those that are undefined are left out. */
export type Ask = <Question, Answer>(
  question: AuditQuestion<Question, Answer>,
  parameters: Readonly<Record<string, string | undefined>>,
) => Promise<Answer>;

/** The answer of the service that the options name, or of the data folder: the same, from the same checks. */
export function askAudit<Question, Answer>(
  question: AuditQuestion<Question, Answer>,
  parameters: Readonly<Record<string, string | undefined>>,
  options: AuditOptions,
): Promise<Answer> {
  return withAuditSession(options, (ask) => ask(question, parameters));
}

/** Like {@link askAudit}, for several questions, or pages of one, in a row. */
export function withAuditSession<Value>({ url }: AuditOptions, use: (ask: Ask) => Promise<Value>): Promise<Value> {
  if (url !== undefined)
    return use((question, parameters) =>
      askThere(url, `/api/audit/${question.name}?${new URLSearchParams(givenOf(parameters))}`),
    );
  return withOfflineService((service) =>
    showingHistoryProgress(service, () =>
      use((question, parameters) => askHere(question, givenOf(parameters), service.audit)),
    ),
  );
}

const givenOf = (parameters: Readonly<Record<string, string | undefined>>): [string, string][] =>
  Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);

async function askHere<Question, Answer>(
  { check, ask }: AuditQuestion<Question, Answer>,
  given: readonly (readonly [string, string])[],
  audit: AuditQueries,
): Promise<Answer> {
  const question = check(new Map(given.map(([name, value]) => [name, [value]])));
  if (!question.ok) throw usageFailure(describeIssues(question.error));
  const answer = await ask(audit, question.value);
  if (answer.ok) return answer.value;
  throw failureOf(answer.error);
}

/** Why a question has no answer, in a sentence. */
export function failureOf(failure: QueryFailure): CliFailure {
  if (failure.type === "MomentInFuture")
    return usageFailure(`${failure.parameter}: The moment must not lie in the future.`);
  if (failure.type === "ExportRangeReversed") return usageFailure("from: The moment must not lie behind that of --to.");
  if (failure.type === "HistoryParked") {
    const which = failure.datasource === null ? "" : ` of the datasource ${failure.datasource}`;
    return new CliFailure(
      `An event${which} could not be applied or read, so what was so since then is not known. Moments before it can be asked for; \`projections parked list permissionHistory\` may name it.`,
    );
  }
  return new CliFailure(`There is no answer at the moment (${failure.type}). Try again.`);
}

async function askThere<Answer>(url: string, path: string): Promise<Answer> {
  const answer = await auditClient(url).request({ method: "GET", path });
  if (answer.status === 200) return answer.body as Answer;
  throw refusalOf(answer);
}

/** What a service answers a question with that it does not answer. */
export function refusalOf(answer: ApiAnswer): CliFailure {
  const issues = issuesIn(answer);
  return issues === null ? new CliFailure(describeAnswer(answer)) : usageFailure(describeIssues(issues));
}
