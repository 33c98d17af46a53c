import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../src/cli/run.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** `npx enterprise-search …` for a shell, without a process for each command. */
export interface CommandsForShell {
  /** Bash that defines `npx`. A command gets the shell's folder, arguments and exported variables, and no stdin. */
  readonly definition: string;
  close(): Promise<void>;
}

/**
 * Runs the commands of a shell in this process, one at a time. To start and warm a process for each of some fifty
 * commands takes longer than all that they do.
 */
export async function openCommandsForShell(): Promise<CommandsForShell> {
  const { path, remove } = temporaryFolder("commands");
  const [socket, stdout, stderr] = ["socket", "stdout", "stderr"].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  const server = createServer(async (request, response) => {
    response.end(String(await runIn(await text(request), stdout, stderr)));
  });
  await once(server.listen(socket), "listening");
  return {
    definition: `npx() {
  local code=$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl -sS --data-binary @- --unix-socket ${socket} http://program)
  cat ${stdout}
  cat ${stderr} >&2
  return $code
}`,
    close: async () => {
      server.close();
      await once(server, "close");
      remove();
    },
  };
}

/** Runs a command as {@link CommandsForShell.definition} sends it, and answers with its exit code. */
async function runIn(sent: string, stdoutFile: string, stderrFile: string): Promise<number> {
  const [folder = "", count = "", , ...words] = sent.split("\0").slice(0, -1);
  const args = words.splice(0, Number(count) - 1);
  // Threads log to the output of this process.
  const environment = { ...Object.fromEntries(words.map((pair) => pair.split(/=(.*)/s))), LOG_LEVEL: "fatal" };
  const [stdout, stderr] = [createWriteStream(stdoutFile), createWriteStream(stderrFile)];
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { signal } = new AbortController();
    return await runCommandLine(args, {
      stdin: Readable.from([]),
      stdout,
      stderr,
      environment,
      interruption: () => signal,
    });
  } finally {
    process.chdir(before);
    await Promise.all([stdout, stderr].map((stream) => once(stream.end(), "close")));
  }
}
