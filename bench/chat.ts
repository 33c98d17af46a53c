import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Corpus } from "./corpus.js";
import { atMost, interleave, median, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";

const datasource = "bench";
const streamsAtOnce = 200;
const documents = 2_000;
const tokensOfStream = 400;
const tokenEveryMs = 10;
const base = "/api/beta/amberai/chat/completions";

/** What chat adds to a model's server, what it holds while many read, and what an answer without a model costs. */
export async function measureChat(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const model = await startSlowModel();
  const limits = {
    CHAT_MAX_CONCURRENT: String(2 * streamsAtOnce),
    CHAT_MAX_CONCURRENT_PER_PERSON: String(2 * streamsAtOnce),
  };
  const service = await startServiceProcess({ LLM_URL: model.url, LLM_DEFAULT_MODEL: "slow", ...limits });
  try {
    report("first byte");
    const key = await prepare(service);
    const first = await measureFirstByte(service, model.url, key, rounds * 10);
    report("200 streams");
    const memory = await measureStreams(service, key);
    report("extractive answers");
    return [first, memory, await measureExtractive(service, key, rounds * 10)];
  } finally {
    await service.stop();
    await model.stop();
  }
}

const frame = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

/** A model that says a word every ten milliseconds, the first of them at once. */
async function startSlowModel(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify({ data: [{ id: "slow" }] }));
      return;
    }
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).write(frame("word "));
    let said = 1;
    const saying = setInterval(() => {
      if (++said < tokensOfStream) response.write(frame("word "));
      else response.end(end);
    }, tokenEveryMs);
    response.once("close", () => clearInterval(saying));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, stop: async () => void (server.close(), server.closeAllConnections(), await once(server, "close")) };
}

async function prepare(service: ServiceProcess): Promise<string> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${service.url}/api/indexing/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.serviceAccount}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("datasources", { name: datasource });
  await post("users", { datasource, user: { email: "chat@example.org" } });
  const corpus = new Corpus(5);
  const pushed = Array.from({ length: documents }, (_document, at) => {
    const { title, text } = corpus.document(`chat-${at}`);
    const body = { mime_type: "text/plain", text_content: text };
    return { datasource, id: `chat-${at}`, title, body, file_type: "page" };
  });
  const written = await post("documents", { documents: pushed });
  const key = await service.createKey("chat@example.org");
  const token = written.headers.get("x-consistency-token") ?? "";
  const headers = { authorization: `Bearer ${key}`, "x-consistency-token": token };
  for (;;) {
    const found = await fetch(`${service.url}/api/beta/search?query=a`, { headers });
    await found.arrayBuffer();
    if (found.ok) return key;
  }
}

const asked = (url: string, key: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });

const question = { model: "slow", messages: [{ role: "user", content: "Say something." }], stream: true };

async function measureFirstByte(
  service: ServiceProcess,
  model: string,
  key: string,
  rounds: number,
): Promise<Measurement> {
  const firstByte = (url: string) => async (): Promise<number> => {
    const leaving = new AbortController();
    const taken = await timed(async () => {
      const answer = await asked(url, key, question, leaving.signal);
      await answer.body?.getReader().read();
    });
    leaving.abort();
    return taken;
  };
  const [ours, peer] = [firstByte(service.url + base), firstByte(`${model}/chat/completions`)];
  await interleave(5, ours, peer);
  const figures = await interleave(rounds, ours, peer);
  const [own, upstream] = [median(figures.ours), median(figures.peer)];
  return {
    name: "first byte of a streamed answer minus the model's own, in milliseconds",
    ...atMost(15, own - upstream),
    ...{ ours: `${own.toFixed(1)} ms`, peer: `${upstream.toFixed(1)} ms`, rounds },
  };
}

/** What the process holds while many streams are half way, and what it held when they had begun. */
async function measureStreams(service: ServiceProcess, key: string): Promise<Measurement> {
  const wave = async (): Promise<{ readonly early: number; readonly late: number }> => {
    let words = 0;
    const marks: number[] = [];
    const streams = Array.from({ length: streamsAtOnce }, async () => {
      const answer = await asked(service.url + base, key, question);
      // Several words may come in one piece.
      for await (const piece of answer.body ?? []) words += Buffer.from(piece).toString().split("data: ").length - 1;
    });
    const all = streamsAtOnce * tokensOfStream;
    for (const share of [0.1, 0.9]) {
      await until(() => words >= all * share);
      marks.push(await residentBytes(service.url));
    }
    await Promise.all(streams);
    return { early: marks[0] ?? 0, late: marks[1] ?? 0 };
  };
  // What the first wave needs, the process keeps.
  await wave();
  const { early, late } = await wave();
  const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;
  return {
    name: `memory near the end of ${streamsAtOnce} streams at once ÷ near their beginning`,
    ...atMost(1.1, late / early),
    ...{ ours: mebibytes(late), peer: mebibytes(early), rounds: 1 },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

async function measureExtractive(service: ServiceProcess, key: string, rounds: number): Promise<Measurement> {
  const corpus = new Corpus(5);
  const queries = Array.from({ length: rounds }, (_query, at) => corpus.document(`chat-${at}`).title);
  const headers = { authorization: `Bearer ${key}` };
  const search = (round: number): Promise<number> =>
    timed(async () => {
      const found = await fetch(`${service.url}/api/beta/search?query=${encodeURIComponent(queries[round] ?? "")}`, {
        headers,
      });
      await found.arrayBuffer();
    });
  const chat = (round: number): Promise<number> =>
    timed(async () => {
      const messages = [{ role: "user", content: queries[round] }];
      const tools = [{ function: { name: "internalSearch" } }];
      const answer = await asked(service.url + base, key, { model: "amber-extractive", messages, tools });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`The chat answered ${answer.status}.`);
    });
  await interleave(10, chat, search);
  const figures = await interleave(rounds, chat, search);
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  return {
    name: "an extractive answer with internal search ÷ the search alone",
    ...atMost(3, ours / peer),
    ...{ ours: `${ours.toFixed(1)} ms`, peer: `${peer.toFixed(1)} ms`, rounds },
  };
}
