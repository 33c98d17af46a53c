import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Command } from "commander";
import type { TriedRequest, WhatIfAnswer, WhatIfItem } from "../auditQueries.js";
import type { CommandContext } from "../../../commands/commands.js";
import { parsePageToken } from "../../shared/pageToken.js";
import type { Issue } from "../../validation/issue.js";
import { parseStrictJson } from "../../validation/strictJson.js";
import { checkWhatIf } from "../../validation/whatIfRequest.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { withOfflineService } from "../../cli/offline.js";
import { renderTable } from "../../cli/output.js";
import { auditClient, failureOf, refusalOf, withAuditOptions, type AuditOptions } from "./askAudit.js";
import { viaText } from "./historyFormats.js";
import { asOfText, printPages, type PageFormat } from "./pagePrinter.js";
import { pageSize } from "./printHistory.js";
import { showingHistoryProgress } from "./showingHistoryProgress.js";

interface WhatIfOptions extends AuditOptions {
  readonly command: string;
}

/** `audit what-if`: a dry run. */
export function whatIfCommand(): Command {
  const command = new Command("what-if")
    .description(
      "try requests of the Indexing API: who would gain and who would lose sight of what; nothing is written",
    )
    .requiredOption(
      "--command <file>",
      "JSON: one request {method, path, body}, or a list of them; - for the standard input",
    )
    .addHelpText(
      "after",
      `
A request is one that changes something, such as
  {"method": "DELETE", "path": "/api/indexing/memberships/handbook/staff/user/ada@example.com"}
Those in a list are tried in turn, each on what those before it would have left.
A document may leave out its text. The answer is about now.`,
    )
    .action(run);
  return withAuditOptions(command, [
    "audit what-if --command new-member.json",
    `audit access --user ada@example.com --document handbook/travel-2024.md --json | jq .smallest_change | enterprise-search audit what-if --command -`,
  ]);
}

async function run({ command, ...options }: WhatIfOptions): Promise<void> {
  const requests = await readRequests(command);
  await (options.url === undefined
    ? tryHere(requests, options)
    : printPages(format, options, pagesThere(options.url, requests)));
}

async function readRequests(file: string): Promise<readonly TriedRequest[]> {
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw usageFailure(`The requests ${file} cannot be read: ${error.message}`);
  });
  const parsed = parseStrictJson(bytes);
  const checked = parsed.ok
    ? checkWhatIf({ requests: Array.isArray(parsed.value) ? parsed.value : [parsed.value] })
    : parsed;
  if (checked.ok) return checked.value.requests;
  throw usageFailure(
    [
      `The requests ${file === "-" ? "of the standard input" : file} are not valid:`,
      ...checked.error.map(describeRequestIssue),
    ].join("\n"),
  );
}

/** A file holds requests, and no more of what goes over HTTP. */
function describeRequestIssue({ loc: [, , index, ...field], msg, type, ctx }: Issue): string {
  if (type === "json_invalid") return `  It is no JSON: ${String(ctx?.["error"] ?? msg)}.`;
  return `  ${typeof index === "number" ? `request ${index + 1}` : "the list"}: ${[field.join("."), msg].filter((part) => part !== "").join(": ")}.`;
}

/** Whoever is at the terminal may try anything. */
const operator: CommandContext = { by: "operator", correlationId: "what-if", allowedDatasources: null };

type PageAt = (next: string | undefined) => Promise<WhatIfAnswer>;

function tryHere(requests: readonly TriedRequest[], options: AuditOptions): Promise<void> {
  return withOfflineService((service) => {
    const pageAt: PageAt = async (next) => {
      const page = { count: pageSize, next: next === undefined ? null : parsePageToken(next) };
      const answer = await service.whatIf(requests, operator, page);
      if (answer.ok) return answer.value;
      throw failureOf(answer.error);
    };
    return showingHistoryProgress(service, () => printPages(format, options, pageAt));
  });
}

function pagesThere(url: string, requests: readonly TriedRequest[]): PageAt {
  const client = auditClient(url);
  return async (next) => {
    const page = new URLSearchParams({ count: String(pageSize), ...(next !== undefined && { next }) });
    const answer = await client.request({ method: "POST", path: `/api/audit/what-if?${page}`, body: { requests } });
    if (answer.status === 200) return answer.body as WhatIfAnswer;
    throw refusalOf(answer);
  };
}

const format: PageFormat<WhatIfItem, WhatIfAnswer> = {
  columns: ["change", "user_email", "document", "via"],
  cellsOf: ({ change, user_email: email, document, via }) => [change, email, document, viaText(via)],
  counted: { one: "change", many: "changes", none: "Nobody would see more or less than now." },
  heading(first) {
    const outcomes = first.outcomes.map(({ method, path, status, detail }) => [
      method,
      path,
      String(status),
      detail ?? "done",
    ]);
    const orMore = first.total_relation === "gte" ? " or more" : "";
    const told = `Tried ${asOfText(first)}: ${first.total_gains}${orMore} would be gained, ${first.total_losses}${orMore} lost. Nothing was written.`;
    return [renderTable(["METHOD", "PATH", "STATUS", "DETAIL"], outcomes), "", told].join("\n");
  },
};
