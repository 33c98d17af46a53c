import { Command } from "commander";
import type { AccessAnswer, AskAccess, ExplainedFact } from "../../../queries/audit/auditQueries.js";
import { checkAccessQuestion } from "../../validation/auditParameters.js";
import { toUtc } from "../instants.js";
import { print, toCsv } from "../output.js";
import { askAudit, withAuditOptions, type AuditOptions, type AuditQuestion } from "./askAudit.js";

interface AccessOptions extends AuditOptions {
  readonly user: string;
  readonly document: string;
  readonly at?: string;
}

const accessQuestion: AuditQuestion<AskAccess, AccessAnswer> = { name: "access", check: checkAccessQuestion, ask: (audit, question) => audit.access(question) };

/** `audit access`: yes or no, and why. */
export function accessCommand(): Command {
  const command = new Command("access")
    .description("tell whether a person could see a document, and why")
    .requiredOption("--user <email>", "login email of the person")
    .requiredOption("--document <datasource/id>", "the document")
    .option("--at <moment>", "a time or a consistency token (default: now)")
    .action(run);
  return withAuditOptions(command, [
    "audit access --user ada@example.com --document handbook/travel-2024.md",
    "audit access --user ada@example.com --document handbook/travel-2024.md --at 2026-01-31T18:00:00Z --json",
  ]);
}

async function run({ user, document, at, ...options }: AccessOptions): Promise<void> {
  const answer = await askAudit(accessQuestion, { user, document, at }, options);
  if (options.json === true) print(JSON.stringify(answer));
  else print(options.csv === true ? toCsv(["has_access", "at", ...columns], rowsOf(answer).map((row) => [String(answer.has_access), answer.at ?? "", ...row])) : describe(answer, user, document));
}

const columns = ["fact", "event", "stream", "revision", "position", "time", "by"];

/** What is so, and what once was. */
function rowsOf({ explanation, missing }: AccessAnswer): readonly (readonly string[])[] {
  const absent = missing === undefined ? [] : [missing.ended === undefined ? [missing.detail, "", "", "", "", "", ""] : cellsOf(missing.ended)];
  return [...explanation.map(cellsOf), ...absent];
}

const cellsOf = ({ fact, event, stream, revision, position, time, by }: ExplainedFact): string[] => [fact, event, stream, String(revision), position, time, by];

/** What is so, and below it since when and by whom: no table fits a terminal where names are long. */
const linesOf = ({ fact, position, time, by }: ExplainedFact): readonly string[] => [`  ${fact}`, `      ${toUtc(time)} UTC, position ${position}, by ${by}`];

function describe(answer: AccessAnswer, user: string, document: string): string {
  const { has_access: hasAccess, at, position, explanation, missing, smallest_change: change } = answer;
  const verdict = `${hasAccess ? "Yes" : "No"}: ${user} ${hasAccess ? "may see" : "may not see"} ${document}, as of ${at ?? "the beginning"} (position ${position}).`;
  const facts = [...explanation, ...(missing?.ended === undefined ? [] : [missing.ended])];
  const requests = change?.map(({ method, path, body }) => `  ${method} ${path} ${JSON.stringify(body)}`) ?? [];
  return [
    verdict,
    ...(missing === undefined ? [] : [missing.detail]),
    ...(facts.length === 0 ? [] : ["", ...facts.flatMap(linesOf)]),
    ...(requests.length === 0 ? [] : ["", "The smallest change that would grant it:", ...requests]),
  ].join("\n");
}
