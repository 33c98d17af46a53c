import { Command } from "commander";
import type { Terminal } from "../../cli/terminal.js";
import { accessCommand } from "./access.js";
import { exportCommand } from "./export.js";
import { publicKeyCommand, verifyCommand } from "./verify.js";
import { webQueriesCommand } from "./webQueries.js";
import { whatIfCommand } from "./whatIf.js";
import { withAuditOptions, type AuditOptions, withAuditService } from "./askAudit.js";
import {
  whatFormat,
  whoFormat,
  exposureFormat,
  effectiveFormat,
  timelineFormat,
  printHistory,
  everyItem,
} from "./printHistory.js";
import { toUtc } from "../../cli/arguments.js";
import { toCsv, renderTable } from "../../cli/output.js";
import type { AnsweredQuestion } from "../routes/auditQuestions.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(terminal: Terminal): Command {
  return new Command("audit")
    .description("ask who could see what, when and why")
    .addCommand(accessCommand(terminal))
    .addCommand(whoCommand(terminal))
    .addCommand(whatCommand(terminal))
    .addCommand(historyCommand(terminal))
    .addCommand(exposureCommand(terminal))
    .addCommand(whatIfCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(questionsCommand(terminal))
    .addCommand(webQueriesCommand(terminal))
    .addCommand(publicKeyCommand(terminal));
}

/** `audit what`: every document that a person could see. */
function whatCommand(terminal: Terminal): Command {
  const command = new Command("what")
    .description("list every document that a person could see, and through which groups")
    .requiredOption("--user <email>", "login email of the person")
    .option("--at <moment>", "a time, a token or a position (default: now)")
    .action(({ user, at, ...options }: AuditOptions & { readonly user: string; readonly at?: string }) =>
      printHistory(whatFormat, { user, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit what --user ada@example.com",
    "audit what --user ada@example.com --at 2026-01-31T18:00:00Z --json",
  ]);
}

/** `audit who`: everyone who could see a document. */
function whoCommand(terminal: Terminal): Command {
  const command = new Command("who")
    .description("list everyone who could see a document, and through which groups")
    .argument("<datasource/id>", "the document")
    .option("--at <moment>", "a time, a token or a position (default: now)")
    .action((document: string, { at, ...options }: AuditOptions & { readonly at?: string }) =>
      printHistory(whoFormat, { document, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit who handbook/travel-2024.md",
    "audit who handbook/travel-2024.md --at 2026-01-31T18:00:00Z --csv",
  ]);
}

interface ExposureOptions extends AuditOptions {
  readonly event?: string;
  readonly document?: string;
  readonly grant?: string;
  readonly at?: string;
}

/** `audit exposure`: what one fact, a mistake perhaps, and nothing else made visible. */
function exposureCommand(terminal: Terminal): Command {
  const command = new Command("exposure")
    .description(
      "tell what one grant, membership, group's name or registration, and nothing else, made visible to whom and when",
    )
    .option("--event <position>", "the event that made it so: its position, as `events` and `audit history` print it")
    .option("--document <datasource/id>", "instead of an event: the document whose grant it is")
    .option("--grant <whom>", "with --document: anonymous, user:EMAIL or group:NAME")
    .option("--at <moment>", "nothing after it: a time, a token or a position (default: now)")
    .action(({ event, document, grant, at, ...options }: ExposureOptions) =>
      printHistory(exposureFormat, { event, document, grant, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit exposure --event 1204",
    "audit exposure --document handbook/travel-2024.md --grant group:staff --csv",
  ]);
}

interface HistoryOptions extends AuditOptions {
  readonly user?: string;
  readonly group?: string;
  readonly effective?: boolean;
  readonly at?: string;
}

/** `audit history`: what happened to permissions, or what could be seen when. */
function historyCommand(terminal: Terminal): Command {
  const command = new Command("history")
    .description("tell what happened to the permissions of a document, a person or a group")
    .argument("[datasource/id]", "the document")
    .option("--user <email>", "login email of the person")
    .option("--group <datasource/name>", "the group")
    .option(
      "--effective",
      "tell who could see what, and when, instead of what was done: of the document, of the person, or of both",
    )
    .option("--at <moment>", "nothing after it: a time, a token or a position (default: now)")
    .action((document: string | undefined, options: HistoryOptions) => run(document, options, terminal));
  return withAuditOptions(command, [
    "audit history handbook/travel-2024.md",
    "audit history --group handbook/staff --csv",
    "audit history handbook/travel-2024.md --user ada@example.com --effective",
  ]);
}

function run(
  document: string | undefined,
  { user, group, effective, at, ...options }: HistoryOptions,
  terminal: Terminal,
): Promise<void> {
  const parameters = { document, user, group, at };
  return effective === true
    ? printHistory(effectiveFormat, { ...parameters, effective: "true" }, options, terminal)
    : printHistory(timelineFormat, parameters, options, terminal);
}

interface QuestionsOptions extends AuditOptions {
  readonly by?: string;
  readonly user?: string;
}

const columns = ["position", "time", "by", "question", "about", "as_of"];

function cellsOf({ position, time, by, question, about, as_of: asOf }: AnsweredQuestion): string[] {
  const { user, document, group, event } = about;
  const subject = [user, document, group, event === undefined ? undefined : `event ${event}`];
  return [position, time, by, question, subject.filter((text) => text !== undefined).join(", "), asOf];
}

/** `audit questions`: who asked what about other people. */
function questionsCommand(terminal: Terminal): Command {
  const command = new Command("questions")
    .description("list who asked what about other people")
    .option("--by <credential>", "only what was asked with this credential")
    .option("--user <email>", "only what was asked about this person")
    .action((options: QuestionsOptions) =>
      withAuditService(options, terminal, [], async (service) => {
        const { by, user } = options;
        const items = await everyItem<AnsweredQuestion>(service, "questions", { by, user });
        terminal.printResult(options.json === true, { items, source: service.source }, () => textOf(items, options));
      }),
    );
  return withAuditOptions(command, ["audit questions", "audit questions --user ada@example.org --csv"]);
}

function textOf(items: readonly AnsweredQuestion[], { csv }: QuestionsOptions): string {
  if (csv === true) return toCsv(columns, items.map(cellsOf));
  if (items.length === 0) return "Nobody has asked anything.";
  const rows = items.map((item) => cellsOf({ ...item, time: toUtc(item.time) }));
  return renderTable(["POSITION", "TIME (UTC)", "BY", "QUESTION", "ABOUT", "AS OF"], rows);
}
