import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createClient } from "redis";
import { freePort } from "./freePort.js";
import { namedEngines } from "./namedEngines.js";
import { temporaryFolder } from "./temporaryFolder.js";

const program = "redis-server";

/** Why tests on a Redis cannot run here; null: they can. */
export const noRedis: string | null = spawnSync(program, ["--version"]).error === undefined ? null : "no redis-server";

/** A suite that needs a Redis: skipped, with the reason in its title, where there is none. */
export function describeOnRedis(title: string, suite: () => void): void {
  if (noRedis === null) describe(title, suite);
  else describe.skip(`${title}: ${noRedis}`, suite);
}

/** The same for suites that only write to namespaces of their own: the Redis that the environment names will do. */
export function describeOnAnyRedis(title: string, suite: () => void): void {
  if (namedEngines["REDIS_URL"] === undefined) describeOnRedis(title, suite);
  else describe(title, suite);
}

/** Servers that a failed test has left are not left to run. */
const running = new Set<RedisServer>();
process.on("exit", () => {
  for (const server of running) server.remove();
});

/**
 * A real Redis, on a free port of this machine and in a folder of its own, which saves nothing unless it is told to.
 */
export class RedisServer {
  private child: ChildProcess | null = null;
  private readonly folder = temporaryFolder("redis");

  private constructor(readonly port: number) {
    running.add(this);
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it (again) with what its folder holds; resolves once it answers. */
  async start(): Promise<void> {
    const settings = [
      "--port",
      String(this.port),
      "--bind",
      "127.0.0.1",
      "--dir",
      this.folder.path,
      "--save",
      "",
      "--appendonly",
      "no",
      "--daemonize",
      "no",
    ];
    this.child = spawn(program, settings, { stdio: "ignore" });
    this.child.unref();
    await this.command("PING");
  }

  /** Ends it on the spot, as a crash does. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    this.child = null;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Lets it stand still, and go on. */
  pause(): void {
    this.child?.kill("SIGSTOP");
  }

  resume(): void {
    this.child?.kill("SIGCONT");
  }

  /** Gives one command over a connection of its own. */
  async command<Reply>(...words: readonly string[]): Promise<Reply> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: 20 } });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await client.sendCommand<Reply>([...words]);
    } finally {
      client.destroy();
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    this.remove();
  }

  remove(): void {
    this.child?.kill("SIGKILL");
    running.delete(this);
    this.folder.remove();
  }
}

let shared: Promise<RedisServer> | null = null;

/** The server of this process's tests, for those that only write to namespaces of their own. Ends with the process. */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= RedisServer.start();
  return shared;
}

/** Where the suites of {@link describeOnAnyRedis} write to. */
export const anyRedisUrl = async (): Promise<string> => namedEngines["REDIS_URL"] ?? (await sharedRedis()).url;
