import { Command } from "commander";
import { toUtc } from "../../cli/instants.js";
import { toCsv, renderTable } from "../../cli/output.js";
import type { Terminal } from "../../cli/terminal.js";
import type { AnsweredQuestion } from "../messages/questions.js";
import { withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { everyItem } from "./everyItem.js";

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
export function questionsCommand(terminal: Terminal): Command {
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
