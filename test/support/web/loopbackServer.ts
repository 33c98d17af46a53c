import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A request as a loopback server got it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** undefined: none that is JSON. */
  readonly body: unknown;
}

/** What it answers: JSON where `body` is no text and no bytes. Nothing at all where it is null. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** How many sockets have connected. */
  readonly connections: number;
  close(): Promise<void>;
}

/** An HTTP server on this machine alone, which answers as a test says and notes what it is asked. */
export async function startLoopback(
  reply: (request: SeenRequest) => Reply | null | Promise<Reply | null>,
  host = "127.0.0.1",
  port = 0,
): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = await seenOf(request);
    requests.push(seen);
    const said = await reply(seen);
    if (said !== null) send(said, response);
  };
  server.on("connection", () => connections++);
  server.listen(port, host);
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    requests,
    get connections() {
      return connections;
    },
    close: () => closed(server),
  };
}

async function seenOf(request: IncomingMessage): Promise<SeenRequest> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://loopback");
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return {
    ...{ method: request.method ?? "", path: pathname, query: searchParams, headers: request.headers },
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}

function send({ status = 200, headers = {}, body = "" }: Reply, response: ServerResponse): void {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  response.writeHead(status, { "Content-Type": isRaw ? "text/html" : "application/json", ...headers } as never);
  response.end(isRaw ? body : JSON.stringify(body));
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
