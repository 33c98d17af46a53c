import { readFile, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { ApiClient } from "../apiClient.js";
import { usageFailure } from "../cliFailure.js";
import { ProgressLine } from "../progressLine.js";
import type { Terminal } from "../terminal.js";
import { parseAccessRules, type AccessRules } from "./accessRules.js";
import { describeReport } from "./describeReport.js";
import type { MissingDeletion } from "./missingDocuments.js";
import { importFolder, type FolderImport } from "./importFolder.js";
import { withEmbeddedService, withRemoteService } from "./services.js";
import { counted } from "../../shared/counted.js";

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

/** Pushes the text files of a folder into a datasource, and prints what became of each. */
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
