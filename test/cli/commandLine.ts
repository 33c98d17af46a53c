import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporaryFolder.js";

const program = fileURLToPath(new URL("../../../bin/enterprise-search.js", import.meta.url));

export interface Ended {
  /** null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a person starts it: processes of its own on one data folder. */
export class CommandLine {
  private readonly children = new Set<ChildProcess>();

  private constructor(readonly dataDir: string) {}

  static async onFreshFolder(): Promise<CommandLine> {
    return new CommandLine(temporaryFolder("command-line").path);
  }

  /** Starts a command and waits for its end. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Like {@link run}; fails where the command does, and reads its stdout as the one JSON object that it has to be. */
  async runForJson<Value>(...args: readonly string[]): Promise<Value> {
    const { code, stdout, stderr } = await this.run(...args, "--json");
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  }

  /** Starts a command that goes on by itself. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): StartedCommand {
    const settings = { DATA_DIR: this.dataDir, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error" };
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env["PATH"], ...settings, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.children.add(child);
    return new StartedCommand(child);
  }

  /** Starts `serve` and waits until it listens. */
  async serve(env: Readonly<Record<string, string>> = {}): Promise<ServingCommand> {
    const command = this.start(["serve"], env);
    const [, url = ""] = await command.printed(/Listening on (http:\S+)/);
    return { command, url };
  }

  /** Ends whatever still runs, and removes the folder. */
  async clear(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

export interface ServingCommand {
  readonly command: StartedCommand;
  readonly url: string;
}

/** A process of the command line, and what it has printed. */
export class StartedCommand {
  readonly ended: Promise<Ended>;
  private stdout = "";
  private stderr = "";

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = once(child, "close").then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Resolves as soon as stdout holds what is looked for; fails where the process ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.stdout);
        if (found !== null) resolve(found);
      };
      look();
      this.child.stdout?.on("data", look);
      void this.ended.then(({ code, stderr }) =>
        reject(new Error(`It ended with ${code} without printing ${pattern}: ${stderr}`)),
      );
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** Asks again and again until the answer is right; mocha's timeout is the limit. */
export async function eventually<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
