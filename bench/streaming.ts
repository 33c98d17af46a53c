import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Corpus } from "./corpus.js";
import { atMost, interleave, median, percentile, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";
import { datasource, type PushOrder, type PushReport } from "./streaming/messages.js";

/** Documents before anything streams in; STREAMING_DOCUMENTS changes it. */
const usualSize = 50_000;

const person = "reader@example.org";
const distinctQuestions = 200;
/** Searches of one window, a few milliseconds apart: a service that is used, not one that is overrun. */
const searchesPerWindow = 300;

const pauseMs = 5;

/** What a person who searches waits for while documents stream in as fast as they are taken, and while none do. */
export async function measureStreaming(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const documents = Number(process.env["STREAMING_DOCUMENTS"] ?? usualSize);
  const service = await startServiceProcess();
  const pusher = await startPusher();
  try {
    await post(service, "datasources", { name: datasource });
    await post(service, "users", { datasource, user: { email: person } });
    const search = searchAs(service, await service.createKey(person));
    report(`pushing ${documents} documents`);
    await untilSearchable(search, (await pusher.push({ ...service, documents })).token);
    report("searching while documents stream in");
    const rates: number[] = [];
    const figures = await interleave(
      rounds,
      () => searchWhileStreaming(service, pusher, search, (rate) => rates.push(rate)),
      () => searchAtRest(search),
    );
    return [50, 99].map((percent) => measurement(percent, figures, documents, median(rates)));
  } finally {
    pusher.close();
    await service.stop();
  }
}

interface Figures {
  readonly ours: readonly (readonly number[])[];
  readonly peer: readonly (readonly number[])[];
}

function measurement(percent: number, figures: Figures, documents: number, rate: number): Measurement {
  const [ours, peer] = [figures.ours, figures.peer].map((windows) =>
    median(windows.map((window) => percentile(window, percent))),
  ) as [number, number];
  const kind = percent === 50 ? "median" : `p${percent}`;
  return {
    name: `search over HTTP while documents stream in ÷ at rest, ${documents.toLocaleString("en")} documents, ${kind}`,
    ...atMost(3, ours / peer),
    ours: `${ours.toFixed(2)} ms (${rate.toFixed(0)} documents/s)`,
    peer: `${peer.toFixed(2)} ms`,
    rounds: figures.ours.length,
  };
}

type Search = (number: number, token?: string) => Promise<"answered" | "behind">;

/** Searches that fail end the measurement; one that comes with a token may be answered with 503. */
function searchAs(service: ServiceProcess, key: string): Search {
  const corpus = new Corpus(17);
  const questions = Array.from({ length: distinctQuestions }, (_, number) => corpus.text(1 + (number % 4)));
  return async (number, token) => {
    const query = encodeURIComponent(questions[number % questions.length] ?? "");
    const answer = await fetch(`${service.url}/api/beta/search?query=${query}`, {
      headers: { authorization: `Bearer ${key}`, ...(token === undefined ? {} : { "x-consistency-token": token }) },
    });
    await answer.arrayBuffer();
    if (answer.ok) return "answered";
    if (answer.status === 503 && token !== undefined) return "behind";
    throw new Error(`A search was answered with ${answer.status}.`);
  };
}

async function untilSearchable(search: Search, token: string): Promise<void> {
  while ((await search(0, token)) === "behind");
}

/** Milliseconds of each search. What streamed in meanwhile is searchable when it is over. */
async function searchWhileStreaming(
  service: ServiceProcess,
  pusher: Pusher,
  search: Search,
  reportRate: (documentsPerSecond: number) => void,
): Promise<readonly number[]> {
  await askEachOnce(search);
  const pushed = pusher.push({ ...service, documents: Number.MAX_SAFE_INTEGER });
  const figures = await searchSteadily(search);
  pusher.stop();
  const { pushed: documents, seconds, token } = await pushed;
  reportRate(documents / seconds);
  await untilSearchable(search, token);
  return figures;
}

async function searchAtRest(search: Search): Promise<readonly number[]> {
  await askEachOnce(search);
  return searchSteadily(search);
}

/** Both windows begin with what was asked before, as a service does that is in use. */
async function askEachOnce(search: Search): Promise<void> {
  for (let number = 0; number < distinctQuestions; number++) await search(number);
}

async function searchSteadily(search: Search): Promise<readonly number[]> {
  const figures: number[] = [];
  for (let number = 0; number < searchesPerWindow; number++) {
    figures.push(await timed(() => search(number)));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return figures;
}

async function post(service: ServiceProcess, path: string, body: object): Promise<void> {
  const answer = await fetch(`${service.url}/api/indexing/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`POST /${path} was answered with ${answer.status}.`);
}

/** A process that pushes documents. */
interface Pusher {
  /** Resolves once all documents of the order are answered, or those that were under way when it was stopped. */
  push(order: PushOrder): Promise<PushReport>;
  stop(): void;
  close(): void;
}

/** Starts a pusher; resolves once it has made its texts. */
export async function startPusher(): Promise<Pusher> {
  const child = fork(fileURLToPath(new URL("streaming/pusher.js", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return {
    push: async (order) => {
      child.send(order);
      const [report] = (await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => Promise.reject(new Error("The pusher ended while it was pushing."))),
      ])) as [PushReport];
      return report;
    },
    stop: () => void child.send("stop"),
    close: () => child.disconnect(),
  };
}
