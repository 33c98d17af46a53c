import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { CliFailure } from "../../src/cli/cliFailure.js";
import { runCommandLine } from "../../src/cli/run.js";
import type { ApiClient } from "../support/apiClient.js";
import { openWriteSide } from "../../src/wiring/writeSide.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { testConfig } from "../support/testConfig.js";

const program = fileURLToPath(new URL("../../../bin/enterprise-search.js", import.meta.url));

export interface Ended {
  /** null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** The command line on one data folder: in this process, or in processes of its own, as a person starts it. */
export class CommandLine {
  private readonly started = new Set<StartedCommand>();

  private constructor(readonly dataDir: string) {}

  /** On the folder of a service that has never written anything. */
  static async onFreshFolder(): Promise<CommandLine> {
    const cli = CommandLine.onEmptyFolder();
    await (await openWriteSide(testConfig({ DATA_DIR: cli.dataDir }))).close();
    return cli;
  }

  /** On a folder that no service has ever used. */
  static onEmptyFolder(): CommandLine {
    return new CommandLine(temporaryFolder("command-line").path);
  }

  /** On the folder of a service that a test has started; to be cleared once that has stopped. */
  static onFolderOf({ dataDir }: { readonly dataDir: string }): CommandLine {
    return new CommandLine(dataDir);
  }

  /** Starts a command and waits for its end. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Like {@link run}; fails where the command does, and reads its stdout as the one JSON object that it has to be. */
  async runForJson<Value>(...args: readonly string[]): Promise<Value> {
    return jsonOf(args, await this.run(...args, "--json"));
  }

  /** As {@link run}, of a command that asks the service where the client's key counts. */
  ask({ url, credential }: ApiClient, ...args: readonly string[]): Promise<Ended> {
    return this.start([...args, "--url", url], { ENTERPRISE_SEARCH_KEY: credential ?? "" }).ended;
  }

  /** As {@link ask}, and {@link runForJson}. */
  async askForJson<Value>(client: ApiClient, ...args: readonly string[]): Promise<Value> {
    return jsonOf(args, await this.ask(client, ...args, "--json"));
  }

  /** Starts a command in this process. */
  start(args: readonly string[], env: Environment = {}, stdin = ""): StartedCommand {
    const stdout = new Printed();
    const stderr = new Printed();
    const interrupting = new AbortController();
    const ended = runCommandLine(args, {
      ...{ stdin: Readable.from([stdin]), stdout, stderr },
      environment: this.environment(env),
      interruption: () => interrupting.signal,
    });
    return this.note(
      new StartedCommand(stdout, stderr, ended, (signal) =>
        interrupting.abort(new CliFailure(`It was interrupted (${signal}).`)),
      ),
    );
  }

  /** Starts a command in a process of its own; of another user of the machine where `uid` names one. */
  startProcess(args: readonly string[], env: Environment = {}, as: { readonly uid?: number } = {}): StartedCommand {
    const child = spawn(process.execPath, [program, ...args], {
      ...as,
      env: { PATH: process.env["PATH"], ...this.environment(env) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = [new Printed(), new Printed()];
    child.stdout.pipe(stdout);
    child.stderr.pipe(stderr);
    const ended = once(child, "close").then(([code]) => code as number | null);
    return this.note(new StartedCommand(stdout, stderr, ended, (signal) => child.kill(signal)));
  }

  /** Starts `serve` and waits until it listens. */
  async serve(env: Environment = {}): Promise<ServingCommand> {
    return servedBy(this.start(["serve"], env));
  }

  /** As {@link serve}, in a process of its own. */
  async serveInProcess(env: Environment = {}): Promise<ServingCommand> {
    return servedBy(this.startProcess(["serve"], env));
  }

  /** Ends whatever still runs, and removes the folder. */
  async clear(): Promise<void> {
    for (const command of this.started) command.signal("SIGTERM");
    await Promise.all([...this.started].map(({ ended }) => ended));
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private note(command: StartedCommand): StartedCommand {
    this.started.add(command);
    void command.ended.then(() => this.started.delete(command));
    return command;
  }

  private environment(env: Environment): Environment {
    return { DATA_DIR: this.dataDir, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", ...env };
  }
}

function jsonOf<Value>(args: readonly string[], { code, stdout, stderr }: Ended): Value {
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}

async function servedBy(command: StartedCommand): Promise<ServingCommand> {
  const [, url = ""] = await command.printed(/Listening on (http:\S+)/);
  return { command, url };
}

export interface ServingCommand {
  readonly command: StartedCommand;
  readonly url: string;
}

/** Keeps what is written to it. */
class Printed extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    this.emit("printed");
    done();
  }
}

/** A run of the command line, and what it has printed. */
export class StartedCommand {
  readonly ended: Promise<Ended>;

  constructor(
    private readonly stdout: Printed,
    private readonly stderr: Printed,
    ended: Promise<number | null>,
    /** Asks it to end. */
    readonly signal: (signal: NodeJS.Signals) => void,
  ) {
    this.ended = ended.then((code) => ({ code, stdout: stdout.text, stderr: stderr.text }));
  }

  /** Resolves as soon as stdout holds what is looked for; fails where the command ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return this.found(pattern, this.stdout);
  }

  /** As {@link printed}, of stderr. */
  noted(pattern: RegExp): Promise<RegExpExecArray> {
    return this.found(pattern, this.stderr);
  }

  private found(pattern: RegExp, output: Printed): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.text);
        if (found !== null) resolve(found);
      };
      look();
      output.on("printed", look);
      void this.ended.then(({ code, stderr }) =>
        reject(new Error(`It ended with ${code} without printing ${pattern}: ${stderr}`)),
      );
    });
  }
}
