import { Command, Option } from "commander";
import { parseCount, parseDatasourceName, parseHttpUrl, parseShare } from "../arguments.js";
import type { ImportOptions } from "../import/runImport.js";
import type { Terminal } from "../terminal.js";

/** The largest file that the service takes by default. */
const defaultMaxBytes = 100 * 1024 * 1024;

/** `import`: the files of a folder, pushed through the public API. */
export function importCommand(terminal: Terminal): Command {
  return new Command("import")
    .description("push the files of a folder into a datasource")
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
    .option("--delete-missing", "delete documents of the datasource that belong to no file of the folder")
    .option("--max-deleted-share <part>", "how large a part of them --delete-missing may delete", parseShare)
    .option("--yes", "with --delete-missing: do not ask")
    .option("--json", "print one JSON object with the outcome of every file")
    .addHelpText("after", explanation)
    .action(async (folder: string, options: ImportOptions) => {
      // What reads texts, markup and access rules is loaded for this command only.
      const { runImport } = await import("../import/runImport.js");
      await runImport(folder, options, terminal);
    });
}

const explanation = `
The service reads PDF, Office and OpenDocument files, EPUB, RTF, mails (EML, MSG), ZIP archives, images where OCR is on
there, and whatever is text by its bytes. Others are skipped, as are symbolic links, node_modules, .git and hidden names.
The service is asked first, and unchanged files (by modification time and access) are not sent: to resume, run the same
command again.
Documents of files that vanished stay. --delete-missing deletes every document of the datasource that belongs to no file
of the folder, whoever pushed it: after all files were pushed, and not if anything of the folder could not be read. On a
terminal it asks first; with --yes it refuses more than a fifth of the documents, or --max-deleted-share.

Access rules (--acl): the first rule whose pattern fits the path decides; what no rule fits, nobody sees.
  rules:
    - match: "public/**"
      anonymous: true              # every registered user of the datasource
    - match: ["hr/**", "**/*.secret.md"]
      users: [ada@example.com]
      groups: [hr]
    - match: "**"
      groups: [staff]
Without --acl every registered user may see every file, unless the datasource's default_access is nobody. Nothing is
imported then where that would open a document that is restricted; --anonymous says that it is meant.

Examples:
  enterprise-search import ./handbook --datasource handbook
  enterprise-search import ./wiki --datasource wiki --acl wiki-access.yaml --json
  enterprise-search import ./handbook --datasource handbook --delete-missing --yes
  ENTERPRISE_SEARCH_TOKEN=amber_sa_… enterprise-search import ./wiki --datasource wiki --url https://search.example.com`;
