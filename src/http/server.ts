import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type Koa from "koa";

export interface RunningServer {
  /** `http://host:port`, with the port that was really bound. */
  readonly url: string;
  /**
   * Takes no more connections, finishes what is in flight, and closes; after 30 seconds whatever is still open is cut.
   * Resolves once nothing runs any more, also for clients that are gone: what serves requests can be closed then.
   */
  stop(): Promise<void>;
}

const keepAliveTimeoutMs = 65_000;
const longestFinishMs = 30_000;
const closeIdleEveryMs = 20;

/** Listens on `host` and `port` (0: any free one). Rejects where the address cannot be had. */
export async function startServer(app: Koa, { host, port }: { readonly host: string; readonly port: number }): Promise<RunningServer> {
  const handle = app.callback();
  const running = new Set<Promise<void>>();
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const run = handle(request, response).finally(() => running.delete(run));
    running.add(run);
  };
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, listener);
  // Whether a body is wanted is decided by the route: without this Node would ask for it at once.
  server.on("checkContinue", listener);
  server.on("clientError", refuse);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return { url: urlOf(host, server.address() as AddressInfo), stop: () => stop(server, running) };
}

/** An address that this machine itself can open. */
function urlOf(host: string, { port }: AddressInfo): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** What is no HTTP never reaches a route, but gets the same envelope. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify({ detail: `The request could not be read: ${STATUS_CODES[status]}.` });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "Content-Type: application/json; charset=utf-8", `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

async function stop(server: Server, running: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections that were busy at first become idle one by one.
  const closeIdle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  const cut = setTimeout(() => server.closeAllConnections(), longestFinishMs);
  await closed;
  await Promise.all(running);
  clearInterval(closeIdle);
  clearTimeout(cut);
}
