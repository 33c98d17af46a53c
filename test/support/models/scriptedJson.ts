import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What a server of models was asked. */
export interface AskedForJson<Body> {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** JSON, a status that refuses, a text that is sent as it is, or never anything. */
export type JsonReply = object | number | string | "never";

export interface ScriptedJson<Body> {
  /** The base of its routes. */
  readonly url: string;
  /** Everything that was asked, in order, and forgets it. */
  take(): readonly AskedForJson<Body>[];
  /** What is answered from now on. */
  answers(reply: (body: Body) => JsonReply): void;
  stop(): Promise<void>;
}

/** A server that takes JSON at any address, and answers as it was told to. */
export async function startScriptedJson<Body>(first: (body: Body) => JsonReply): Promise<ScriptedJson<Body>> {
  let reply = first;
  let asked: AskedForJson<Body>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as Body;
    asked.push({ path: request.url ?? "", headers: request.headers, body });
    const said = reply(body);
    if (said === "never") return;
    response.writeHead(typeof said === "number" ? said : 200, { "content-type": "application/json" });
    response.end(typeof said === "string" ? said : JSON.stringify(typeof said === "number" ? { error: body } : said));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    take: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
    answers: (next) => void (reply = next),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
