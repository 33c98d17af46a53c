import { execFile, fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { roles } from "../src/shared/credential.js";
import { freePort } from "../test/support/freePort.js";
import type { AppendOutcome } from "../commands/ports.js";
import type { DomainEvent } from "../src/events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../src/shared/ids.js";

const commandLine = fileURLToPath(new URL("../../bin/enterprise-search.js", import.meta.url));
const koaPeer = fileURLToPath(new URL("peers/koaPeer.js", import.meta.url));

const password = "six words for whoever measures this";

export interface ServiceProcess {
  readonly url: string;
  readonly serviceAccount: string;
  readonly pid: number;
  createServiceAccount(): Promise<string>;
  createKey(email: string): Promise<string>;
  /** Makes an account with every role, and signs its person in; answers with the cookie, as `name=value`. */
  signIn(email: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service as its users do, in a process and a folder of its own. */
export async function startServiceProcess(settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), "enterprise-search-bench-"));
  const port = await freePort();
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
    ...settings,
  };
  const child = spawn(process.execPath, [commandLine, "serve"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  const credential = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [commandLine, ...words, "--json"], { env });
    const answer = JSON.parse(stdout) as { token?: string; key?: string };
    return answer.token ?? answer.key ?? "";
  };
  return {
    url,
    pid: child.pid ?? 0,
    serviceAccount: await credential("service-account", "create", "--name", "bench"),
    createServiceAccount: () => credential("service-account", "create", "--name", "another"),
    createKey: (email) => credential("api-key", "create", "--email", email),
    signIn: async (email) => {
      const words = ["account", "create", "--email", email, "--password-stdin", "--json", "--role", ...roles];
      const created = promisify(execFile)(process.execPath, [commandLine, ...words], { env });
      created.child.stdin?.end(password);
      await created;
      return cookieOf(url, email);
    },
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function cookieOf(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`A sign-in was answered with ${answer.status}.`);
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Starts the Koa service that answers a constant. */
export async function startKoaPeer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = fork(koaPeer, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child) };
}

/** Starts a Redis that saves nothing; null where none is installed. */
export async function startRedis(): Promise<{ readonly url: string; stop(): Promise<void> } | null> {
  const folder = await mkdtemp(join(tmpdir(), "enterprise-search-redis-"));
  const port = await freePort();
  const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""], {
    stdio: "ignore",
  });
  const isThere = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  return isThere ? { url: `redis://127.0.0.1:${port}`, stop } : null;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The service ended with code ${child.exitCode} before it was ready.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Resolves once all of these are in the log. Throws where the log refused one. */
export async function untilAppended(appends: readonly Promise<AppendOutcome>[]): Promise<void> {
  for (const outcome of await Promise.all(appends))
    if (outcome.kind !== "appended") throw new Error("The benchmark's log was refused.");
}

/** A datasource of which nothing is said but its name. */
export const datasourceRegistered = (datasourceId: DatasourceId, name: DatasourceName): DomainEvent => ({
  type: "DatasourceRegistered",
  data: {
    datasourceId,
    name,
    displayName: name,
    icon: null,
    subs: [],
    objectDefinitions: [],
    defaultAccess: "anonymous",
  },
});
