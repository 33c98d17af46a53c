import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A message as it came over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly image_url?: object }[];
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
}

/** What the model was asked. */
export interface AskedOfScript {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly WireMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly temperature?: number;
  };
}

/** What it does then. */
export type Script = (response: ServerResponse, asked: AskedOfScript) => Promise<void> | void;

export interface ScriptedModel {
  /** The base that ends in `/v1`. */
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly asked: readonly AskedOfScript[];
  /** The same, and forgets it. */
  take(): readonly AskedOfScript[];
  /** How many answers are under way. */
  readonly open: number;
  /** What is answered next, one after the other; whoever asks once more gets a 500. */
  plays(...scripts: readonly Script[]): void;
  /** What is answered whatever is asked. */
  always(script: Script | null): void;
  /** What the list of models holds; a status instead refuses it. */
  lists(models: readonly object[] | number): void;
  /** Resolves once no answer is under way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that speaks OpenAI's protocol and says what it was told to say. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const asked: AskedOfScript[] = [];
  let scripts: Script[] = [];
  let otherwise: Script | null = null;
  let listed: readonly object[] | number = [{ id: "small", object: "model", created: 1_700_000_000 }];
  let open = 0;
  let onIdle = (): void => undefined;
  const complete = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as AskedOfScript["body"];
    const question = { headers: request.headers, body };
    asked.push(question);
    open++;
    response.once("close", () => {
      if (--open === 0) onIdle();
    });
    await (scripts.shift() ?? otherwise ?? fails(500, { error: { message: "The script is at its end." } }))(
      response,
      question,
    );
  };
  const server = createServer((request, response) => {
    if (request.url === "/v1/models") answerWith(response, typeof listed === "number" ? listed : 200, { data: listed });
    else void complete(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    take: () => asked.splice(0),
    get open() {
      return open;
    },
    plays: (...played) => void (scripts = [...played]),
    always: (script) => void (otherwise = script),
    lists: (models) => void (listed = models),
    idle: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve))),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answerWith(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The head of a stream. */
export const begins = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

/** A frame of the stream. */
export const frameOf = (delta: object, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;

/** The end of a stream. */
export const ending = (reason = "stop"): string =>
  `${frameOf({}, reason)}data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\ndata: [DONE]\n\n`;

/** A whole answer, in these pieces. */
export const says =
  (...pieces: readonly string[]): Script =>
  (response) => {
    begins(response);
    for (const content of pieces) response.write(frameOf({ content }));
    response.end(ending());
  };

/** Calls of tools, each a name with its arguments: a text as it stands, anything else as JSON. */
export const calls =
  (...called: readonly (readonly [name: string, given: unknown])[]): Script =>
  (response) => {
    begins(response);
    for (const [index, [name, given]] of called.entries()) {
      const text = typeof given === "string" ? given : JSON.stringify(given);
      const half = Math.ceil(text.length / 2);
      const head = { index, id: `call_${index}`, type: "function", function: { name, arguments: text.slice(0, half) } };
      response.write(frameOf({ tool_calls: [head] }));
      response.write(frameOf({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }));
    }
    response.end(ending("tool_calls"));
  };

/** A refusal. */
export const fails =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (response) =>
    answerWith(response, status, body, headers);

/** Begins to answer, and cuts the connection. */
export const drops =
  (content: string): Script =>
  async (response) => {
    begins(response);
    await new Promise<void>((resolve) => response.write(frameOf({ content }), () => resolve()));
    response.destroy();
  };

/** Begins to answer, and says nothing more. */
export const falls =
  (content: string): Script =>
  (response) =>
    void begins(response).write(frameOf({ content }));

/** The texts of all messages of a question, as the model sees them. */
export const seenIn = ({ body: { messages } }: AskedOfScript): string =>
  messages
    .map(({ content }) => (typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n")))
    .join("\n");
