import { Command } from "commander";
import { toUtc } from "../../cli/arguments.js";
import { renderTable, toCsv } from "../../cli/output.js";
import type { Terminal } from "../../cli/terminal.js";
import type { SentWebQueries } from "../routes/auditWebQueries.js";
import { withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { everyItem } from "./printHistory.js";

interface WebQueriesOptions extends AuditOptions {
  readonly user?: string;
}

const columns = ["position", "time", "by", "user", "answer", "mode", "queries"];

const cellsOf = ({ position, time, by, user, answer, mode, queries }: SentWebQueries): string[] => [
  ...[position, time, by, user, answer, mode ?? "default", queries.join(" | ")],
];

/** `audit web-queries`: what left the service for the web, and for whom. */
export function webQueriesCommand(terminal: Terminal): Command {
  const command = new Command("web-queries")
    .description("list what left the service for the web")
    .option("--user <email>", "only what left for this person")
    .action((options: WebQueriesOptions) =>
      withAuditService(options, terminal, [], async (service) => {
        const items = await everyItem<SentWebQueries>(service, "web-queries", { user: options.user });
        terminal.printResult(options.json === true, { items, source: service.source }, () => textOf(items, options));
      }),
    );
  return withAuditOptions(command, ["audit web-queries", "audit web-queries --user ada@example.org --csv"]);
}

function textOf(items: readonly SentWebQueries[], { csv }: WebQueriesOptions): string {
  if (csv === true) return toCsv(columns, items.map(cellsOf));
  if (items.length === 0) return "Nothing has left for the web.";
  const rows = items.map((item) => cellsOf({ ...item, time: toUtc(item.time) }));
  return renderTable(["POSITION", "TIME (UTC)", "BY", "USER", "ANSWER", "MODE", "QUERIES"], rows);
}
