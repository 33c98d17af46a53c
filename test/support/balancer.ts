import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { readCompose, withDefaults } from "./composeFiles.js";
import { freePort } from "./freePort.js";
import { startNameServer, type NameServer } from "./nameServer.js";
import { growingPauses } from "./pauses.js";
import { temporaryFolder } from "./temporaryFolder.js";

// Where others than root look for programs, it is not always.
const program = ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"]).error === undefined);

/** Why the balancer cannot run here; null: it can. */
export const noBalancer: string | null =
  program === undefined ? "no nginx" : process.platform === "linux" ? null : "no 127.0.0.2 by itself";

/** A suite that needs the balancer: skipped, with the reason in its title, where it cannot run. */
export function describeWithBalancer(title: string, suite: () => void): void {
  if (noBalancer === null) describe(title, suite);
  else describe.skip(`${title}: ${noBalancer}`, suite);
}

/** Where the two replicas of a test listen, both on the port that is given to {@link Balancer.start}. */
export const replicaHosts = ["127.0.0.1", "127.0.0.2"] as const;

/** Balancers that a failed test has left are not left to run. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * The balancer of docker-compose.cluster.yml, as nginx runs it: its configuration as it stands there, but for the ports
 * and the name server. It finds {@link replicaHosts} by name, as it finds replicas in Docker.
 */
export class Balancer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly names: NameServer,
    private readonly folder: ReturnType<typeof temporaryFolder>,
  ) {}

  /** Starts it before the replicas that listen on `replicaPort`. Throws, with what nginx says, where it refuses. */
  static async start(replicaPort: number): Promise<Balancer> {
    const [folder, names, port] = [temporaryFolder("balancer"), await startNameServer(replicaHosts), await freePort()];
    const ports = { port, replicaPort, namePort: names.port };
    const file = join(folder.path, "nginx.conf");
    writeFileSync(file, around(balancerFor(ports), folder.path));
    const words = ["-e", join(folder.path, "error.log"), "-p", folder.path, "-c", file];
    const { status, stderr } = spawnSync(program ?? "", [...words, "-t"], { encoding: "utf8" });
    if (status !== 0) {
      await names.stop();
      folder.remove();
      throw new Error(`nginx refuses its configuration: ${stderr}`);
    }
    const child = spawn(program ?? "", words, { stdio: "ignore" });
    running.add(child);
    child.on("exit", () => running.delete(child));
    const balancer = new Balancer(`http://127.0.0.1:${port}`, child, names, folder);
    for (const pause = growingPauses(); !(await listens(port)); await pause()) {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${balancer.errors()}`);
    }
    return balancer;
  }

  /** What it has written down of requests. */
  requests(): string {
    return this.textOf("access.log");
  }

  errors(): string {
    return this.textOf("error.log");
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, "exit");
      this.child.kill("SIGTERM");
      await ended;
    }
    await this.names.stop();
    this.folder.remove();
  }

  private textOf(name: string): string {
    const path = join(this.folder.path, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const tell = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", tell(true)).once("error", tell(false));
  });
}

interface Ports {
  readonly port: number;
  readonly replicaPort: number;
  readonly namePort: number;
}

/** The balancer's configuration, as nginx gets to see it in Docker. */
export const balancerConfiguration = (): string =>
  withDefaults(readCompose("docker-compose.cluster.yml").configs?.["balancer"]?.content ?? "");

function balancerFor({ port, replicaPort, namePort }: Ports): string {
  const replaced = [
    ["listen 8080;", `listen 127.0.0.1:${port};`],
    ["resolver 127.0.0.11 ", `resolver 127.0.0.1:${namePort} `],
    ["proxy_pass http://$api:8080;", `proxy_pass http://$api:${replicaPort};`],
  ] as const;
  return replaced.reduce((text, [written, here]) => {
    if (text.split(written).length !== 2) throw new Error(`The balancer has to have one ${JSON.stringify(written)}.`);
    return text.replace(written, () => here);
  }, balancerConfiguration());
}

/** What the image of nginx has around a server, in one process, and with all that it writes in one folder. */
function around(server: string, folder: string): string {
  const written = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${kind};`);
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
${written.join("\n")}
access_log ${folder}/access.log;
${server}
}
`;
}
