import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryFiles, repositoryRoot, textOf } from "./repositoryFiles.js";
import { freePort } from "./freePort.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** How long the commands of one document may take. */
export const documentLimitMs = 5 * 60_000;

/** One command of a `console` block, or a whole `bash` block. */
interface Step {
  readonly command: string;
  /** The lines that are shown below it; empty where the document shows none. */
  readonly shown: readonly string[];
}

/** A command, and what it printed. */
export interface StepRun extends Step {
  /** On stdout. */
  readonly printed: string;
}

/** What became of a document's commands. */
export interface DocumentRun {
  readonly code: number | null;
  /** Everything that was printed, with the commands, in the order in which it was printed. */
  readonly output: string;
  /** Those that were begun. */
  readonly steps: readonly StepRun[];
}

export interface DocumentRunOptions {
  /** Commands that are run in another way than they are written. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** What bash runs before everything else. */
  readonly before?: string;
}

/** Runs the blocks of a document, in the order in which they are written, in a copy of the repository, by one bash. */
export async function runDocument(file: string, { otherwise, before = ":" }: DocumentRunOptions): Promise<DocumentRun> {
  const folder = temporaryFolder("documented");
  try {
    copyRepositoryTo(folder.path);
    for (const path of ["dist", "node_modules"]) await symlink(join(repositoryRoot, path), join(folder.path, path));
    const steps = stepsOf(textOf(file)).map((step) => ({ ...step, command: otherwise[step.command] ?? step.command }));
    const { code, output, stdout } = await runBash(scriptOf(steps, before), folder.path, await freePort());
    const printed = stdout.split(mark).slice(1);
    return {
      code,
      output,
      steps: steps.slice(0, printed.length).map((step, index) => ({ ...step, printed: printed[index] ?? "" })),
    };
  } finally {
    folder.remove();
  }
}

/** One call a file: the asynchronous ones take ten times as long for two thousand small files. */
function copyRepositoryTo(folder: string): void {
  for (const path of repositoryFiles()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(join(repositoryRoot, path), join(folder, path));
  }
}

/**
 * The first line that a document shows and the command did not print; null: it printed all of them, and where the
 * document shows something, nothing else. `…` stands for anything within a line, and alone for any lines.
 */
export function firstUnprinted({ shown, printed }: StepRun): string | null {
  if (shown.length === 0) return null;
  const lines = printed
    .replace(/\n+$/, "")
    .split("\n")
    .map((line) => line.trimEnd());
  let at = 0;
  let mayPass = false;
  for (const expected of shown) {
    if (expected === "…") {
      mayPass = true;
      continue;
    }
    const found = mayPass ? lines.findIndex((line, index) => index >= at && fits(line, expected)) : at;
    if (found === -1 || !fits(lines[found] ?? "", expected)) return expected;
    at = found + 1;
    mayPass = false;
  }
  return mayPass || at >= lines.length ? null : `nothing but what is shown, not ${lines[at]}`;
}

/** A run of spaces may be of any length: columns are as wide as what is in them. */
function fits(line: string, shown: string): boolean {
  const pattern = shown
    .trimEnd()
    .split("…")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/ {2,}/g, " +"));
  return new RegExp(`^${pattern.join(".*")}$`, "u").test(line);
}

/** Commands stand in `console` blocks, each after `$ ` and followed by what it prints; scripts in `bash` blocks. */
function stepsOf(document: string): Step[] {
  return [...document.matchAll(/^```(console|bash)\n([\s\S]*?)^```/gm)].flatMap(([, language = "", text = ""]) =>
    language === "bash" ? [{ command: text, shown: [] }] : text.split(/^(?=\$ )/m).map(stepOf),
  );
}

function stepOf(text: string): Step {
  const lines = text.replace(/\n$/, "").split("\n");
  const length = lines.findIndex((line) => !line.endsWith("\\")) + 1;
  const command = lines.slice(0, length).join("\n").replace(/^\$ /, "").trim();
  return { command, shown: lines.slice(length) };
}

/** Stands before what each step prints. */
const mark = "\u0001\n";

const scriptOf = (steps: readonly Step[], before: string): string =>
  [
    "set -euo pipefail",
    "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT",
    before,
    "set -x",
    ...steps.flatMap(({ command }) => [`printf '\\001\\n'`, command]),
  ].join("\n");

/** Ends whatever is still running after a while, so that a failure shows how far it came. */
async function runBash(
  script: string,
  cwd: string,
  port: number,
): Promise<{ readonly code: number | null; readonly output: string; readonly stdout: string }> {
  const { PATH, HOME, npm_config_userconfig } = process.env;
  const env = { PATH, HOME, npm_config_userconfig, PORT: String(port), URL: `http://127.0.0.1:${port}`, CI: "true" };
  const bash = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const limit = setTimeout(() => process.kill(-(bash.pid ?? 0), "SIGKILL"), documentLimitMs);
  let output = "";
  let stdout = "";
  bash.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    output += chunk.replaceAll(mark, "");
  });
  bash.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const [code] = (await once(bash, "close")) as [number | null];
  clearTimeout(limit);
  return { code, output, stdout };
}
