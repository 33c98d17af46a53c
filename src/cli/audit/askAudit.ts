import type { Command } from "commander";
import type { AuditQueries } from "../../../queries/audit/auditQueries.js";
import type { QueryResult } from "../../../queries/queries.js";
import type { QueryString } from "../../validation/queryString.js";
import type { Checked } from "../../validation/requestBodies.js";
import { ApiClient, describeAnswer } from "../apiClient.js";
import { parseHttpUrl } from "../arguments.js";
import { CliFailure, usageFailure } from "../cliFailure.js";
import { withOfflineService } from "../offline.js";
import { note } from "../output.js";

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
    .addHelpText("after", `\nTimes are ISO 8601, such as 2026-01-31T18:00:00Z; a consistency token names a moment exactly.\n\nExamples:\n${examples.map((example) => `  enterprise-search ${example}`).join("\n")}`);
}

/** Adds the option by which a question goes to a service instead of the data folder. */
export const withAddress = (command: Command): Command =>
  command.option("--url <address>", "ask the service there, with the auditor's key in ENTERPRISE_SEARCH_KEY, instead of the data folder", parseHttpUrl);

/** Speaks to the service at an address with the auditor's key. */
export function auditClient(url: string): ApiClient {
  const credential = process.env["ENTERPRISE_SEARCH_KEY"];
  if (credential === undefined || !/^[\x21-\x7e]+$/.test(credential)) throw usageFailure("--url needs the personal key of an auditor there, in the environment variable ENTERPRISE_SEARCH_KEY.");
  return new ApiClient({ url, credential, onRetry: (reason) => note(`The service ${reason}; trying again.`) });
}

/** The answer of the service that the options name, or of the data folder: the same, from the same checks. */
export function askAudit<Question, Answer>(
  question: AuditQuestion<Question, Answer>,
  parameters: Readonly<Record<string, string | undefined>>,
  { url }: AuditOptions,
): Promise<Answer> {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return url === undefined ? askHere(question, given) : askThere(url, `/api/audit/${question.name}?${new URLSearchParams(given)}`);
}

async function askHere<Question, Answer>({ check, ask }: AuditQuestion<Question, Answer>, given: readonly (readonly [string, string])[]): Promise<Answer> {
  const question = check(new Map(given.map(([name, value]) => [name, [value]])));
  if (!question.ok) throw usageFailure(question.error.map(({ loc, msg }) => `${String(loc.at(-1))}: ${msg}.`).join("\n"));
  const answer = await withOfflineService(({ audit }) => ask(audit, question.value));
  if (answer.ok) return answer.value;
  throw answer.error.type === "MomentInFuture" ? usageFailure("at: The moment must not lie in the future.") : new CliFailure(`There is no answer at the moment (${answer.error.type}). Try again.`);
}

async function askThere<Answer>(url: string, path: string): Promise<Answer> {
  const answer = await auditClient(url).request({ method: "GET", path });
  if (answer.status === 200) return answer.body as Answer;
  throw answer.status === 422 ? usageFailure(describeAnswer(answer)) : new CliFailure(describeAnswer(answer));
}
