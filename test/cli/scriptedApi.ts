import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What a script answers: a status with a JSON body, or the connection torn down without an answer. */
export type ScriptedAnswer =
  { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> } | "torn";

export interface ScriptedApi {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  /** The most requests that were being answered at the same time. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/** A local HTTP server that answers as the script says: for what the real service does not do on demand, failing. */
export async function startScriptedApi(
  answer: (request: ReceivedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<ScriptedApi> {
  const received: ReceivedRequest[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    const read = await readRequest(request);
    received.push(read);
    send(await answer(read, received.length - 1), response);
    atOnce--;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get mostAtOnce() {
      return mostAtOnce;
    },
    close: () => close(server),
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { method = "", url = "", headers } = request;
  return { method, path: url, authorization: headers.authorization, body: text === "" ? null : JSON.parse(text) };
}

function send(answer: ScriptedAnswer, response: ServerResponse): void {
  if (answer === "torn") return void response.destroy();
  response
    .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
    .end(JSON.stringify(answer.body));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
