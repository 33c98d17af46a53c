import { readFile, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { ApiClient, ensureReachable } from "../apiClient.js";
import { usageFailure } from "../cliFailure.js";
import { ProgressLine, type Terminal } from "../terminal.js";
import { parseAccessRules, type AccessRules } from "./accessRules.js";
import type { MissingDeletion, DeletionReport } from "./missingDocuments.js";
import { importFolder, type FolderImport, type ImportReport } from "./importFolder.js";
import { counted } from "../../shared/texts.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { startLocalService, Service } from "../service.js";
import { groupedByReason, renderTable } from "../listing.js";
import type { FileOutcome } from "./pushDocuments.js";

/** What `import` is told on the command line. */
export interface ImportOptions {
  readonly datasource: string;
  readonly acl?: string;
  readonly anonymous?: boolean;
  readonly url?: string;
  readonly token?: string;
  readonly hidden?: boolean;
  readonly maxBytes: number;
  readonly linkPrefix?: string;
  readonly json?: boolean;
  readonly deleteMissing?: boolean;
  readonly yes?: boolean;
  readonly maxDeletedShare?: number;
}

/** Pushes the files of a folder into a datasource, and prints what became of each. */
export async function runImport(folderArgument: string, options: ImportOptions, terminal: Terminal): Promise<void> {
  const folder = await existingFolder(folderArgument);
  const { interrupted } = terminal;
  const progress = new ProgressLine(terminal, "files");
  const request = { ...(await toRequest(folder, options, terminal)), ...deletionOf(options, progress, terminal) };
  const work = async (client: ApiClient) =>
    importFolder(
      request,
      client,
      { onTotal: (total) => progress.start(total), onOutcome: () => progress.advance() },
      interrupted,
    );
  try {
    const report = await (options.url === undefined
      ? withEmbeddedService(options.datasource, progress, terminal, work)
      : withRemoteService(
          { url: options.url, token: options.token ?? tokenIn(terminal), signal: interrupted },
          progress,
          work,
        ));
    progress.stop();
    terminal.printResult(options.json === true, report, () => describeReport(report));
    if (report.stopped !== null)
      terminal.note(
        `The import stopped early. ${report.stopped}${interrupted.aborted ? " Run the same command again to go on." : ""}`,
      );
    const isKept = report.deletion !== null && report.deletion.kept !== null && !report.deletion.as_decided;
    if (report.stopped !== null || report.counts.failed > 0 || isKept) terminal.exitCode = 1;
  } finally {
    progress.stop();
  }
}

/** What is asked before documents are deleted whose files are gone. */
function deletionOf(
  { datasource, deleteMissing = false, yes = false, maxDeletedShare }: ImportOptions,
  progress: ProgressLine,
  terminal: Terminal,
): Pick<FolderImport, "deleteMissing"> {
  if (!deleteMissing && (yes || maxDeletedShare !== undefined))
    throw usageFailure("--yes and --max-deleted-share belong to --delete-missing.");
  if (!deleteMissing) return {};
  if (!yes && !terminal.canAsk)
    throw usageFailure(
      "--delete-missing asks before it deletes, and there is no terminal to ask on. Add --yes to delete without being asked.",
    );
  const decide: MissingDeletion["decide"] = async ({ would_delete: count, documents, missing }) => {
    if (yes) return "delete";
    progress.stop();
    const more = count > missing.length ? [`… and ${count - missing.length} more`] : [];
    for (const line of [...missing, ...more]) terminal.note(`  ${line}`);
    const answer = await terminal.ask(
      `Delete ${count} of ${counted(documents, "document")} of ${datasource}, which belong to no file of the folder? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim()) ? "confirmed" : "keep";
  };
  return { deleteMissing: { maxDeletedShare: maxDeletedShare ?? null, decide } };
}

const tokenIn = ({ environment }: Terminal): string | undefined => environment["ENTERPRISE_SEARCH_TOKEN"];

async function existingFolder(argument: string): Promise<string> {
  try {
    const folder = await realpath(argument);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw usageFailure(`The folder ${argument} cannot be opened: ${(error as Error).message}`);
  }
  throw usageFailure(`${argument} is not a folder.`);
}

async function toRequest(folder: string, options: ImportOptions, terminal: Terminal): Promise<FolderImport> {
  const { datasource, acl, anonymous, hidden, maxBytes, linkPrefix } = options;
  const access = acl !== undefined ? await readAccessRules(acl) : anonymous === true ? "anonymous" : "unsaid";
  if (access === "unsaid")
    terminal.note(
      `No --acl: every registered user of ${datasource} may see every file, unless its default_access is nobody.`,
    );
  return {
    folder,
    datasource,
    access,
    leftOut: new Set(
      acl === undefined
        ? []
        : [
            relative(folder, await realpath(resolve(acl)))
              .split(sep)
              .join("/"),
          ],
    ),
    hidden: hidden === true,
    maxBytes,
    linkPrefix: linkPrefix ?? null,
  };
}

async function readAccessRules(file: string): Promise<AccessRules> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw usageFailure(`The access rules ${file} cannot be read: ${error.message}`);
  });
  const rules = parseAccessRules(text);
  if (rules.ok) return rules.value;
  throw usageFailure(
    [
      `The access rules ${file} are not valid, so nothing was imported:`,
      ...rules.error.map((problem) => `  ${problem}`),
    ].join("\n"),
  );
}

type Work<Value> = (client: ApiClient) => Promise<Value>;

interface Remarks {
  remark(text: string): void;
}

/** A day: an import that is killed leaves its account behind, revoked by time. */
const accountLifetimeMs = 24 * 60 * 60 * 1_000;

const accounts = "/api/admin/service-accounts";

/** Pushes to a service that runs elsewhere. */
async function withRemoteService<Value>(
  { url, token, signal }: { readonly url: string; readonly token?: string; readonly signal: AbortSignal },
  remarks: Remarks,
  work: Work<Value>,
): Promise<Value> {
  if (token === undefined)
    throw usageFailure(
      "--url needs the token of a service account there: --token, or the environment variable ENTERPRISE_SEARCH_TOKEN.",
    );
  if (!/^[\x21-\x7e]+$/.test(token)) throw usageFailure("The token holds characters that no token has. Copy it again.");
  await ensureReachable(url, signal);
  return work(clientFor(url, token, remarks));
}

/**
 * Starts the service of DATA_DIR in this process, with a service account that may write to the one datasource and is
 * revoked at the end. A server that runs on the same folder is not disturbed: both share the log.
 */
async function withEmbeddedService<Value>(
  datasource: string,
  remarks: Remarks,
  terminal: Terminal,
  work: Work<Value>,
): Promise<Value> {
  const { interrupted } = terminal;
  const local = await startLocalService(terminal, { projecting: true, folder: "make" });
  try {
    interrupted.throwIfAborted();
    // Not the run's own signal: the account is revoked also where the import is interrupted.
    const operator = new Service(terminal, { ...local, local, signal: new AbortController().signal });
    const expiry = new Date(Date.now() + accountLifetimeMs).toISOString();
    const account = await operator.ask<{ readonly id: string; readonly token: string }>({
      method: "POST",
      path: accounts,
      body: { name: `import into ${datasource}`, datasources: [datasource], expires_at: expiry },
    });
    try {
      await operator.untilProjected(answersRestOn.credentials);
      return await work(clientFor(local.url, account.token, remarks));
    } finally {
      await operator.ask({ method: "DELETE", path: `${accounts}/${account.id}` });
      await operator.untilProjected(answersRestOn.credentials);
    }
  } finally {
    await local.stop();
  }
}

const clientFor = (url: string, credential: string, remarks: Remarks): ApiClient =>
  new ApiClient({ url, credential, onRetry: (reason) => remarks.remark(`The service ${reason}; trying again.`) });

const maxListed = 40;
/** Files that are named for each reason. */
const maxOfReason = 10;

/** An import's report for people: counts, then what needs a look. */
function describeReport(report: ImportReport): string {
  const { datasource, registered, counts, documents } = report;
  const sections = [
    renderTable(
      ["OUTCOME", "FILES"],
      [
        ["sent", String(counts.sent)],
        ["already indexed", String(counts.already_indexed)],
        ["skipped", String(counts.skipped)],
        ["failed", String(counts.failed)],
      ],
    ),
    grouped("Failed:", documents, "failed"),
    grouped("Skipped:", documents, "skipped"),
    list("Visible to nobody, because no access rule fits:", report.visible_to_nobody),
    list("Restricted, and would have been opened:", report.restricted),
    list("Restricted before, now visible to every registered user:", report.widened),
    ...(report.deletion === null ? [] : [describeDeletion(report.deletion)]),
    list("Access rules that decided for no file; mind the spelling:", report.unused_rules),
  ];
  if (registered)
    sections.push(
      `The datasource ${datasource} is new. People see its documents once they are registered on it: POST /api/indexing/users.`,
    );
  return sections.filter((section) => section !== "").join("\n\n");
}

function describeDeletion({ deleted, kept, missing, would_delete: count, documents }: DeletionReport): string {
  if (kept === null)
    return deleted === 0
      ? "Every document of the datasource belongs to a file of the folder: nothing was deleted."
      : `Deleted, because there is no such file any more: ${deleted} of ${counted(documents, "document")}.`;
  const more = count > missing.length && missing.length > 0 ? [`and ${count - missing.length} more`] : [];
  return list(kept, [...missing, ...more]) || kept;
}

function grouped(heading: string, documents: readonly FileOutcome[], wanted: "failed" | "skipped"): string {
  const entries = documents
    .filter(({ outcome }) => outcome === wanted)
    .map(({ path, message }) => ({ name: path, reason: message }));
  if (entries.length === 0) return "";
  return [heading, ...groupedByReason(entries, maxOfReason).map((text) => `  ${text}`)].join("\n");
}

function list(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > maxListed ? [`… and ${lines.length - maxListed} more (--json lists all).`] : [];
  return [heading, ...[...lines.slice(0, maxListed), ...more].map((text) => `  ${text}`)].join("\n");
}
