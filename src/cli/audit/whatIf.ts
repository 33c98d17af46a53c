import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Command } from "commander";
import type { TriedRequest, WhatIfAnswer } from "../../../queries/audit/auditQueries.js";
import type { ChangedItem } from "../../../queries/audit/historyQuestions.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import { parseStrictJson } from "../../validation/strictJson.js";
import { checkWhatIf } from "../../validation/whatIfRequest.js";
import { describeAnswer } from "../apiClient.js";
import { parseCount } from "../arguments.js";
import { CliFailure, usageFailure } from "../cliFailure.js";
import { withOfflineService } from "../offline.js";
import { print, renderTable, toCsv } from "../output.js";
import { auditClient, failureOf, withAuditOptions, type AuditOptions } from "./askAudit.js";
import { viaText } from "./historyFormats.js";
import { showingHistoryProgress } from "./showingHistoryProgress.js";

interface WhatIfOptions extends AuditOptions {
  readonly command: string;
  readonly count: number;
}

/** `audit what-if`: a dry run. */
export function whatIfCommand(): Command {
  const command = new Command("what-if")
    .description("try requests of the Indexing API: who would gain and who would lose sight of what; nothing is written")
    .requiredOption("--command <file>", "JSON: one request {method, path, body}, or a list of them; - for the standard input")
    .option("--count <number>", "how many of those who gain, and of those who lose, are told (1 to 1000)", parseCount, 100)
    .action(run);
  return withAuditOptions(command, [
    "audit what-if --command new-member.json",
    `audit access --user ada@example.com --document handbook/travel-2024.md --json | jq .smallest_change | enterprise-search audit what-if --command -`,
  ]);
}

async function run({ command, count, ...options }: WhatIfOptions): Promise<void> {
  const requests = await readRequests(command);
  const answer = await (options.url === undefined ? tryHere(requests, count) : tryThere(options.url, requests, count));
  if (options.json === true) print(JSON.stringify(answer));
  else print(options.csv === true ? toCsv(["change", ...columns], rowsOf(answer)) : describe(answer));
}

async function readRequests(file: string): Promise<readonly TriedRequest[]> {
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw usageFailure(`The requests ${file} cannot be read: ${error.message}`);
  });
  const parsed = parseStrictJson(bytes);
  const checked = parsed.ok ? checkWhatIf({ requests: Array.isArray(parsed.value) ? parsed.value : [parsed.value] }) : parsed;
  if (checked.ok) return checked.value.requests;
  throw usageFailure([`The requests ${file} are not valid:`, ...checked.error.map(({ loc, msg }) => `  ${loc.slice(1).join(".")}: ${msg}`)].join("\n"));
}

/** Whoever is at the terminal may try anything. */
const operator: CredentialRecord = {
  ...{ id: "operator" as CredentialRecord["id"], kind: "serviceAccount", secretSha256: "", expiresAt: null, createdAt: "", revokedAt: null },
  ...{ name: null, datasources: null, email: null, roles: [] },
};

async function tryHere(requests: readonly TriedRequest[], count: number): Promise<WhatIfAnswer> {
  const answer = await withOfflineService((service) =>
    showingHistoryProgress(service, () => service.whatIf(requests, { credential: operator, requestId: "what-if" }, count)),
  );
  if (answer.ok) return answer.value;
  throw failureOf(answer.error);
}

async function tryThere(url: string, requests: readonly TriedRequest[], count: number): Promise<WhatIfAnswer> {
  const answer = await auditClient(url).request({ method: "POST", path: `/api/audit/what-if?count=${count}`, body: { requests } });
  if (answer.status === 200) return answer.body as WhatIfAnswer;
  throw answer.status === 422 ? usageFailure(describeAnswer(answer)) : new CliFailure(describeAnswer(answer));
}

const columns = ["user_email", "document", "via"];

const rowsOf = ({ gains, losses }: WhatIfAnswer): readonly (readonly string[])[] => [...gains.map((item) => ["gains", ...cellsOf(item)]), ...losses.map((item) => ["loses", ...cellsOf(item)])];
const cellsOf = ({ user_email: email, document, via }: ChangedItem): readonly string[] => [email, document, viaText(via)];

function describe(answer: WhatIfAnswer): string {
  const outcomes = answer.outcomes.map(({ method, path, status, detail }) => [method, path, String(status), detail ?? "done"]);
  const [orMore, rows] = [answer.total_relation === "gte" ? " or more" : "", rowsOf(answer)];
  const told = answer.gains.length + answer.losses.length < answer.total_gains + answer.total_losses ? " The first of them:" : "";
  return [
    renderTable(["METHOD", "PATH", "STATUS", "DETAIL"], outcomes),
    "",
    `As of position ${answer.position}: ${answer.total_gains}${orMore} would be gained, ${answer.total_losses}${orMore} lost. Nothing was written.${told}`,
    ...(rows.length === 0 ? [] : ["", renderTable(["CHANGE", ...columns.map((name) => name.toUpperCase())], rows)]),
  ].join("\n");
}
