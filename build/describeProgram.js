/**
 * Writes the documents that the code tells: `docs/settings.md` and `docs/cli.md`. Run by `npm run docs`; a test holds
 * the files against it.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { settings } from "../dist/src/config.js";
import { createProgram } from "../dist/src/cli/program.js";
import { Terminal } from "../dist/src/cli/terminal.js";
import { commands } from "../dist/src/wiring/commands.js";

const settingsIntroduction = `Settings are environment variables. All of them are checked at the start. Where one is wrong, a message names it and
nothing starts.

What holds a secret may be in a file instead, which the same name with \`_FILE\` behind it names, such as
\`TYPESENSE_API_KEY_FILE=/run/secrets/typesense-api-key\`. That goes for every setting whose name ends in \`_KEY\`,
\`_TOKEN\`, \`_SECRET\` or \`_URL\` (but \`PUBLIC_URL\`), and for \`HTTPS_PROXY\`. The file is read at the start, without the end
of its line; it has at most 64 KiB. Setting both is an error, and no message repeats what is in either.`;

const commandsIntroduction = `\`npx enterprise-search\` (or \`npm run --silent cli --\`) works on the data folder \`DATA_DIR\`, while a server runs on it
and while none does: it starts a service there for itself, asks it over HTTP, and stops it again. With \`--url URL\` the
commands of \`audit\` (role \`auditor\`) and \`agent\`, \`events\`, \`projections\` and \`undo\` (role \`operator\`) ask a service
that runs elsewhere; a personal key with that role is taken from \`ENTERPRISE_SEARCH_KEY\`. Credentials are made on the
machine of the data folder alone.

A command works on the folder that is there: in one without data it says where it has looked, and ends with 2. Only
\`serve\`, \`import\` and \`create\` with \`--init\` begin a new one. The folder belongs to one user of the machine. It and its
files are made for that user alone (0700 and 0600), and wider ones are narrowed at the start. Whoever is another user,
be it root, is refused.

Build it once with \`npm run build\`. Every command explains itself with \`--help\`; with \`--json\` it prints exactly one
JSON object and nothing else. Exit codes: 0 done, 1 failed, 2 asked in a way that cannot be done.`;

/** Links in the code are those of the repository's root. */
const fromDocs = (text) => text.replaceAll("](docs/", "](");

const row = ({ name, default: standard, meaning, allowed }) =>
  `| \`${name}\` | ${standard === "" ? "unset" : `\`${standard}\``} | ${fromDocs(meaning)} | ${allowed} |`;

/** The page of settings: every environment variable with its default, its meaning and what it may be. */
export const settingsPage = () =>
  [
    "# Settings",
    settingsIntroduction,
    ["| variable | default | meaning | allowed |", "|---|---|---|---|", ...settings.map(row)].join("\n"),
  ].join("\n\n") + "\n";

function* leaves(command, names) {
  const inner = command.commands.filter(({ _hidden: isHidden }) => !isHidden);
  if (inner.length === 0) yield { name: names.join(" "), help: helpOf(command) };
  for (const each of inner) yield* leaves(each, [...names, each.name()]);
}

/** What `--help` prints, with what stands behind it. */
function helpOf(command) {
  let text = "";
  command.configureOutput({ writeOut: (more) => (text += more), getOutHelpWidth: () => 110 });
  command.outputHelp();
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** The page of the command line: what every command says of itself. */
export function commandsPage() {
  const nowhere = { write: () => true, isTTY: false };
  const terminal = new Terminal({ stdout: nowhere, stderr: nowhere, environment: {}, stdin: nowhere });
  const program = createProgram(terminal, commands);
  const sections = program.commands.map((command) => {
    const told = [...leaves(command, [command.name()])];
    const inner = told.map(({ name, help }) => (told.length > 1 ? `### ${name}\n\n${help}` : help));
    return [`## ${command.name()}`, ...inner].join("\n\n");
  });
  return ["# The command line", commandsIntroduction, ...sections].join("\n\n") + "\n";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync("docs/settings.md", settingsPage());
  writeFileSync("docs/cli.md", commandsPage());
}
