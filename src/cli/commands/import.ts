import { readFile, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { Command, Option } from "commander";
import type { ApiClient } from "../apiClient.js";
import { parseCount, parseDatasourceName, parseHttpUrl } from "../arguments.js";
import { usageFailure } from "../cliFailure.js";
import { parseAccessRules, type AccessRules } from "../import/accessRules.js";
import { importFolder, type FolderImport } from "../import/importFolder.js";
import { describeReport } from "../import/describeReport.js";
import { withEmbeddedService, withRemoteService } from "../import/services.js";
import { ProgressLine } from "../progressLine.js";
import type { Terminal } from "../terminal.js";

const defaultMaxBytes = 10 * 1024 * 1024;

interface ImportOptions {
  readonly datasource: string;
  readonly acl?: string;
  readonly anonymous?: boolean;
  readonly url?: string;
  readonly token?: string;
  readonly hidden?: boolean;
  readonly maxBytes: number;
  readonly linkPrefix?: string;
  readonly json?: boolean;
}

/** `import`: the text files of a folder, pushed through the public API. */
export function importCommand(terminal: Terminal): Command {
  return new Command("import")
    .description("push the text files of a folder into a datasource")
    .argument("<folder>", "walked with its subfolders")
    .requiredOption(
      "--datasource <name>",
      "where the documents go; registered where it does not exist",
      parseDatasourceName,
    )
    .option("--acl <file>", "who may see which file: YAML or JSON, see below")
    .addOption(new Option("--anonymous", "every registered user of the datasource may see every file").conflicts("acl"))
    .option("--url <address>", "push to the service at this address (default: the one of DATA_DIR)", parseHttpUrl)
    .option("--token <token>", "service-account token for --url (default: ENTERPRISE_SEARCH_TOKEN)")
    .option("--hidden", "walk names that start with a dot, too")
    .option("--max-bytes <bytes>", "skip larger files", parseCount, defaultMaxBytes)
    .option("--link-prefix <address>", "where the folder can be opened in a browser; results link there", parseHttpUrl)
    .option("--json", "print one JSON object with the outcome of every file")
    .addHelpText("after", explanation)
    .action((folder: string, options: ImportOptions) => runImport(folder, options, terminal));
}

const explanation = `
Files are text if their bytes are; others are skipped, as are symbolic links, node_modules, .git and hidden names.
Unchanged files (by modification time and access) answer "already indexed": to resume, run the same command again.
Documents of files that vanished stay until they are deleted through the API.

Access rules (--acl): the first rule whose pattern fits the path decides; what no rule fits, nobody sees.
  rules:
    - match: "public/**"
      anonymous: true              # every registered user of the datasource
    - match: ["hr/**", "**/*.secret.md"]
      users: [ada@example.com]
      groups: [hr]
    - match: "**"
      groups: [staff]
Without --acl every registered user may see every file; the import then stops where that would open a document
that was restricted, unless --anonymous says that it is meant.

Examples:
  enterprise-search import ./handbook --datasource handbook
  enterprise-search import ./wiki --datasource wiki --acl wiki-access.yaml --json
  ENTERPRISE_SEARCH_TOKEN=amber_sa_… enterprise-search import ./wiki --datasource wiki --url https://search.example.com`;

async function runImport(folderArgument: string, options: ImportOptions, terminal: Terminal): Promise<void> {
  const folder = await existingFolder(folderArgument);
  const request = await toRequest(folder, options, terminal);
  const { interrupted } = terminal;
  const progress = new ProgressLine(terminal, "files");
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
      : withRemoteService({ url: options.url, token: options.token ?? tokenIn(terminal) }, progress, work));
    progress.stop();
    terminal.printResult(options.json === true, report, () => describeReport(report));
    if (report.stopped !== null)
      terminal.note(
        `The import stopped early. ${report.stopped}${interrupted.aborted ? " Run the same command again to go on." : ""}`,
      );
    if (report.stopped !== null || report.counts.failed > 0) terminal.exitCode = 1;
  } finally {
    progress.stop();
  }
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
  if (access === "unsaid") terminal.note(`No --acl: every registered user of ${datasource} may see every file.`);
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
