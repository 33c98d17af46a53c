import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openWriteSide } from "../../src/wiring/writeSide.js";
import { ApiClient, type Freshness } from "./apiClient.js";
import { growingPauses } from "./pauses.js";
import { credentialsBy, untilKnown, type CredentialMaker } from "./startService.js";
import { undisturbed, testConfig } from "./testConfig.js";

const program = fileURLToPath(new URL("../../../bin/enterprise-search.js", import.meta.url));

/** Servers that a failed test has left are not left to run. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The service in a process of its own, as its users start it. */
export class ServerProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    /** What it has logged so far. */
    readonly errors: () => string,
  ) {}

  /** Resolves once it is ready. Throws, with what it printed, where it ends before. */
  static async start(dataDir: string, settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const server = await ServerProcess.listening(dataDir, settings);
    await server.untilReady();
    return server;
  }

  /** As {@link start}, but ready or not. */
  static async listening(dataDir: string, settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const child = spawn(process.execPath, [program, "serve"], {
      env: environment(dataDir, settings),
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.on("exit", () => running.delete(child));
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    const url = await Promise.race([
      listeningOn(child),
      once(child, "exit").then(([code]) =>
        Promise.reject(new Error(`The server ended with ${String(code)} before it listened:\n${errors}`)),
      ),
    ]);
    return new ServerProcess(url, child, () => errors);
  }

  /** What it has logged, as soon as that matches. Throws where it ends without. */
  async logged(pattern: RegExp | ((text: string) => boolean)): Promise<string> {
    const ended = new AbortController();
    this.child.once("exit", () => ended.abort());
    const matches = typeof pattern === "function" ? pattern : (text: string) => pattern.test(text);
    while (!matches(this.errors())) {
      if (this.child.stderr === null || this.child.exitCode !== null)
        throw new Error(`The server ended without logging ${String(pattern)}:\n${this.errors()}`);
      await once(this.child.stderr, "data", { signal: ended.signal }).catch(() => undefined);
    }
    return this.errors();
  }

  /** Ends it on the spot, as a crash would. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Lets it stand still, as a machine that is out of memory or a virtual one that is moved would. */
  pause(): void {
    this.child.kill("SIGSTOP");
  }

  resume(): void {
    this.child.kill("SIGCONT");
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The signal that ended it, once it has ended. */
  async ended(): Promise<NodeJS.Signals | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    return this.child.signalCode;
  }

  /** Asks it to end, and answers with its exit code. */
  terminate(): Promise<number | null> {
    return this.end("SIGTERM");
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  private async untilReady(): Promise<void> {
    for (const pause = growingPauses(); this.child.exitCode === null; await pause()) {
      const { status } = await new ApiClient(this.url, null).get("/health/ready");
      if (status === 200) return;
    }
    throw new Error(`The server ended before it was ready:\n${this.errors()}`);
  }
}

/** Runs the command line on a data folder, beside a running server or not; answers with what `--json` printed. */
export async function runCli<Printed>(
  dataDir: string,
  words: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, "--json"], {
    env: environment(dataDir, settings),
  });
  return JSON.parse(stdout) as Printed;
}

/** A client with a new service account of the folder, accepted by the server at `url`. */
export function createServiceAccount(
  dataDir: string,
  url: string,
  freshness?: Freshness,
  settings?: NodeJS.ProcessEnv,
): Promise<ApiClient> {
  return created(dataDir, settings, (credentials) => credentials.serviceAccount({}), url, freshness);
}

/** A client with a new personal key of the folder, accepted by the server at `url`. */
export function createPerson(
  dataDir: string,
  url: string,
  email: string,
  freshness?: Freshness,
  settings?: NodeJS.ProcessEnv,
): Promise<ApiClient> {
  return created(dataDir, settings, (credentials) => credentials.person(email, []), url, freshness);
}

/** The credential comes from this process, which is beside the server's as the command line would be. */
async function created(
  dataDir: string,
  settings: NodeJS.ProcessEnv | undefined,
  create: (credentials: CredentialMaker) => Promise<string>,
  url: string,
  freshness?: Freshness,
): Promise<ApiClient> {
  const { commands, close } = await openWriteSide(testConfig({ ...settings, DATA_DIR: dataDir }));
  const credential = await create(credentialsBy(commands)).finally(close);
  return accepted(new ApiClient(url, credential, freshness));
}

async function accepted(client: ApiClient): Promise<ApiClient> {
  await untilKnown(client);
  return client;
}

function environment(dataDir: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "error",
    DATA_DIR: dataDir,
    ...undisturbed,
    ...settings,
  };
}

/** The address that the server prints once it listens. What it prints later is read too, so that it never blocks. */
function listeningOn(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error("The server's output is not connected.");
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      const url = /http:\/\/[^\s)]+/.exec(line)?.[0];
      if (url !== undefined) resolve(url.replace(/\/$/, ""));
    });
  });
}
