import { Command } from "commander";
import type { AccessAnswer, ExplainedFact } from "../auditQueries.js";
import { toCsv } from "../../cli/listing.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { addressOf, withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { asOfText, factLines } from "./pagePrinter.js";

interface AccessOptions extends AuditOptions {
  readonly user: string;
  readonly document: string;
  readonly at?: string;
  readonly exitCode?: boolean;
}

/** `audit access`: yes or no, and why. */
export function accessCommand(terminal: Terminal): Command {
  const command = new Command("access")
    .description("tell whether a person could see a document, and why")
    .requiredOption("--user <email>", "login email of the person")
    .requiredOption("--document <datasource/id>", "the document")
    .option("--at <moment>", "a time, a token or a position (default: now)")
    .option("--exit-code", "end with 1 where the answer is no")
    .action((options: AccessOptions) => run(options, terminal));
  return withAuditOptions(command, [
    "audit access --user ada@example.com --document handbook/travel-2024.md",
    "audit access --user ada@example.com --document handbook/travel-2024.md --at 2026-01-31T18:00:00Z --json",
  ]);
}

async function run({ user, document, at, ...options }: AccessOptions, terminal: Terminal): Promise<void> {
  const { answer, source } = await withAuditService(options, terminal, answersRestOn.access, async (service) => ({
    answer: await service.ask<AccessAnswer>({ method: "GET", path: addressOf("access", { user, document, at }) }),
    source: service.source,
  }));
  if (options.exitCode === true && !answer.has_access) terminal.exitCode = 1;
  if (options.json === true) terminal.print(JSON.stringify({ ...answer, source }));
  else if (options.csv === true)
    terminal.print(
      toCsv(
        ["has_access", "at", ...columns],
        rowsOf(answer).map((row) => [String(answer.has_access), answer.at ?? "", ...row]),
      ),
    );
  else terminal.print(describe(answer, { user, document, tense: at === undefined ? "may" : "could" }));
}

const columns = ["fact", "event", "stream", "revision", "position", "time", "by"];

/** What is so, what once was, and what is said besides. */
function rowsOf({ explanation, missing, still_served: served }: AccessAnswer): readonly (readonly string[])[] {
  const absent =
    missing === undefined ? [] : [missing.ended === undefined ? sentence(missing.detail) : cellsOf(missing.ended)];
  return [...explanation.map(cellsOf), ...absent, ...(served === undefined ? [] : [sentence(served.detail)])];
}

const sentence = (text: string): string[] => columns.map((_, index) => (index === 0 ? text : ""));

const cellsOf = ({ fact, event, stream, revision, position, time, by }: ExplainedFact): string[] => [
  fact,
  event,
  stream,
  String(revision),
  position,
  time,
  by,
];

interface Asked {
  readonly user: string;
  readonly document: string;
  readonly tense: "may" | "could";
}

function describe(answer: AccessAnswer, { user, document, tense }: Asked): string {
  const { has_access: hasAccess, explanation, missing, still_served: served, smallest_change: change } = answer;
  const verdict = `${hasAccess ? "Yes" : "No"}: ${user} ${tense}${hasAccess ? "" : " not"} see ${document}, ${asOfText(answer)}.`;
  const facts = [...explanation, ...(missing?.ended === undefined ? [] : [missing.ended])];
  const requests = change?.map(({ method, path, body }) => `  ${method} ${path} ${JSON.stringify(body)}`) ?? [];
  return [
    verdict,
    ...(missing === undefined ? [] : [missing.detail]),
    ...(served === undefined ? [] : [served.detail]),
    ...(facts.length === 0 ? [] : ["", ...facts.flatMap(factLines)]),
    ...(requests.length === 0
      ? []
      : ["", `The smallest change that would ${tense === "may" ? "grant" : "have granted"} it:`, ...requests]),
  ].join("\n");
}
