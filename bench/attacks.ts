import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { registerDatasource } from "./http.js";
import { atMost, median, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";

/** What another client's push may take under an attack, in the time that it takes alone. */
const most = 3;
const pushedBytes = 3_000_000;
/** So long an attack is under way before the push begins. */
const headStartMs = 1_000;

/** What somebody does to a service, until it is stopped. */
type Attack = (service: ServiceProcess) => () => Promise<void>;

/**
 * A push of 3 MB by one client while another, or nobody who is known, does what a red team did (docs/reliability.md);
 * against the same push alone, in turns.
 */
export async function measureAttacks(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const service = await startServiceProcess();
  try {
    await registerDatasource(service);
    const token = await service.createServiceAccount();
    let pushes = 0;
    const push = (): Promise<number> => timed(() => pushOne(service, token, `healthy-${pushes++}`));
    await push();
    const measurements: Measurement[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      report(`attacks: ${name}`);
      measurements.push(await measureOne(name, rounds, { push, attack: () => attack(service) }));
    }
    return measurements;
  } finally {
    await service.stop();
  }
}

async function measureOne(
  name: string,
  rounds: number,
  { push, attack }: { push(): Promise<number>; attack(): () => Promise<void> },
): Promise<Measurement> {
  const [alone, under]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    alone.push(await push());
    const stop = attack();
    await delay(headStartMs);
    under.push(await push());
    await stop();
  }
  const [ours, peer] = [median(under), median(alone)];
  return {
    name: `a push of 3 MB under an attack (${name}) ÷ alone`,
    ...atMost(most, ours / peer),
    ...{ ours: `${ours.toFixed(0)} ms`, peer: `${peer.toFixed(0)} ms`, rounds },
  };
}

async function pushOne({ url }: ServiceProcess, token: string, id: string): Promise<void> {
  const text = "word ".repeat(pushedBytes / 5);
  const document = { datasource: "bench", id, title: id, file_type: "page" };
  const answer = await post(url, token, {
    documents: { ...document, body: { mime_type: "text/plain", text_content: text } },
  });
  if (answer !== 200) throw new Error(`The push was answered with ${answer}.`);
}

async function post(url: string, token: string | null, body: object | Buffer): Promise<number> {
  const path = token === null ? "/api/session" : "/api/indexing/documents";
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const keys = (count: number): Buffer =>
  Buffer.from(`{"documents":{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}}`);

/** Sends the same again and again, several at once. */
const repeated =
  (atOnce: number, body: () => Buffer, tokenOf: (service: ServiceProcess) => string | null): Attack =>
  (service) => {
    const sent = body();
    const stopped = new AbortController();
    const loops = Array.from({ length: atOnce }, async () => {
      while (!stopped.signal.aborted) await post(service.url, tokenOf(service), sent).catch(() => undefined);
    });
    return async () => {
      stopped.abort();
      await Promise.all(loops);
    };
  };

/** Holds so many connections open, each with what it begins with; those that are closed are opened anew. */
const held =
  (count: number, begin: (socket: Socket, service: ServiceProcess) => void): Attack =>
  (service) => {
    const sockets = new Set<Socket>();
    let isStopped = false;
    const open = (): void => {
      if (isStopped) return;
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => begin(socket, service));
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .resume()
        .once("close", () => {
          sockets.delete(socket);
          open();
        });
    };
    for (let opened = 0; opened < count; opened++) open();
    return () => {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    };
  };

const head = (path: string, length: number, token?: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: bench",
    "Content-Type: application/json",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${length}`,
    "\r\n",
  ].join("\r\n");

/** Much at once, and then a trickle. */
function trickle(socket: Socket, { serviceAccount }: ServiceProcess): void {
  socket.write(head("/api/indexing/documents", 150_000_000, serviceAccount));
  socket.write('{"documents":{"datasource":"bench","id":"x","title":"');
  socket.write(Buffer.alloc(30_000_000, "a"));
  const trickling = setInterval(() => socket.write(Buffer.alloc(12_000, "a")), 500);
  socket.once("close", () => clearInterval(trickling));
}

const nobody = (): null => null;
const anIndexer = ({ serviceAccount }: ServiceProcess): string => serviceAccount;

const attacks: Readonly<Record<string, Attack>> = {
  "1,050 heads without a credential, whose bodies never come": held(1_050, (socket) =>
    socket.write(head("/api/session", 10_000)),
  ),
  "a megabyte of keys without a credential, four at once": repeated(4, () => keys(95_000), nobody),
  "42 MB of unknown keys, two at once": repeated(2, () => keys(3_300_000), anIndexer),
  "bodies of 150 MB that come at 24 kB a second, three at once": held(3, trickle),
};
