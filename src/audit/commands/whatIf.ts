import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Command } from "commander";
import type { WhatIfAnswer, WhatIfItem } from "../auditQueries.js";
import { parseStrictJson } from "../../http/validation/strictJson.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { renderTable } from "../../cli/listing.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { addressOf, withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { pageSize, viaText } from "./history.js";
import { asOfText, printPages, type PageListing } from "./pagePrinter.js";

interface WhatIfOptions extends AuditOptions {
  readonly command: string;
}

/** `audit what-if`: a dry run. */
export function whatIfCommand(terminal: Terminal): Command {
  const command = new Command("what-if")
    .description(
      "try requests of the Indexing API: who would gain and who would lose sight of what; nothing is written",
    )
    .requiredOption(
      "--command <file>",
      "JSON: one request {method, path, body}, or a list of them; - for the standard input",
    )
    .action((options: WhatIfOptions) => run(options, terminal));
  const examples = [
    "audit what-if --command new-member.json",
    "audit access --user ada@example.com --document handbook/travel-2024.md --json | jq .smallest_change | enterprise-search audit what-if --command -",
  ];
  return withAuditOptions(command, examples, explanation);
}

const explanation = `A request is one that changes something, but neither commits a sync run nor replaces members, such as
  {"method": "DELETE", "path": "/api/indexing/memberships/handbook/staff/user/ada@example.com"}
Those in a list are tried in turn, each on what those before it would have left.
A document may leave out its text. The answer is about now.`;

async function run({ command, ...options }: WhatIfOptions, terminal: Terminal): Promise<void> {
  const requests = await readRequests(command, terminal);
  await withAuditService(options, terminal, answersRestOn.past, (service) =>
    printPages(listing, { ...options, source: service.source }, terminal, (next) =>
      service.ask<WhatIfAnswer>({
        method: "POST",
        path: addressOf("what-if", { count: String(pageSize), next }),
        body: { requests },
      }),
    ),
  );
}

/** What is wrong with a request in the list the service tells. */
async function readRequests(file: string, { stdin }: Terminal): Promise<readonly unknown[]> {
  const bytes = await (file === "-" ? buffer(stdin) : readFile(file)).catch((error: Error) => {
    throw usageFailure(`The requests ${file} cannot be read: ${error.message}`);
  });
  const parsed = parseStrictJson(bytes, Number.POSITIVE_INFINITY);
  if (parsed.ok) return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  const [reason] = parsed.error.map(({ msg, ctx }) => String(ctx?.["error"] ?? msg));
  throw usageFailure(
    `The requests ${file === "-" ? "of the standard input" : file} are no JSON: ${reason ?? "nothing is there"}.`,
  );
}

const listing: PageListing<WhatIfItem, WhatIfAnswer> = {
  columns: [
    ["change", ({ change }) => change],
    ["user_email", ({ user_email: email }) => email],
    ["document", ({ document }) => document],
    ["via", ({ via }) => viaText(via)],
  ],
  ...{ one: "change", many: "changes", none: "Nobody would see more or less than now." },
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
