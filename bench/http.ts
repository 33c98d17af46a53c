import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import Database from "better-sqlite3";
import { Corpus, type CorpusDocument } from "./corpus.js";
import { atLeast, interleave, median, timed, type Measurement } from "./measure.js";
import { startKoaPeer, startServiceProcess, type ServiceProcess } from "./processes.js";

const datasource = "bench";
const connections = 32;
const secondsPerRound = 3;

interface CheckAccessTarget {
  readonly name: string;
  readonly minimum: number;
}

const embedded: CheckAccessTarget = {
  name: "check-access over HTTP ÷ a Koa service that routes and reads the same body",
  minimum: 0.75,
};
const documentsPerRound = 10_000;
const documentsPerRequest = 500;
const requestsInFlight = 4;

/** The numbers that are asked over HTTP: bulk indexing, durable single writes, check-access. */
export async function measureHttp(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const service = await startServiceProcess();
  const peer = await startKoaPeer();
  try {
    await registerDatasource(service);
    // The bulk comes last: its documents would weigh on the memory of the client that drives the others.
    report("check-access");
    const checks = await measureCheckAccess(service, peer.url, rounds);
    report("durable single writes");
    const writes = await measureSingleWrites(service, peer.url, rounds);
    report("bulk indexing");
    const bulk = await measureBulkIndexing(service, rounds);
    return [bulk, writes, checks];
  } finally {
    await Promise.all([service.stop(), peer.stop()]);
  }
}

/** The datasource of all of these measurements. */
export async function registerDatasource(service: ServiceProcess): Promise<void> {
  await call(service, "POST", "/api/indexing/datasources", { name: datasource });
}

async function measureBulkIndexing(service: ServiceProcess, rounds: number): Promise<Measurement> {
  const corpus = new Corpus(7);
  const batches = Array.from({ length: rounds }, (_batch, round) =>
    Array.from({ length: documentsPerRound }, (_document, index) => corpus.document(`bulk-${round}-${index}`)),
  );
  const key = await registeredKey(service, "bulk@example.org");
  const figures = await interleave(
    rounds,
    (round) => timed(() => indexUntilSearchable(service, key, batches[round] ?? [])),
    (round) => timed(() => importRaw(batches[round] ?? [])),
  );
  const rate = (milliseconds: readonly number[]): number => (documentsPerRound / median(milliseconds)) * 1000;
  return {
    name: "bulk indexing over HTTP until searchable ÷ raw FTS5 import of the same rows (documents per second)",
    ...atLeast(0.4, rate(figures.ours) / rate(figures.peer)),
    ours: `${rate(figures.ours).toFixed(0)}/s`,
    peer: `${rate(figures.peer).toFixed(0)}/s`,
    rounds,
  };
}

async function indexUntilSearchable(
  service: ServiceProcess,
  key: string,
  documents: readonly CorpusDocument[],
): Promise<void> {
  const requests: CorpusDocument[][] = [];
  for (let start = 0; start < documents.length; start += documentsPerRequest)
    requests.push(documents.slice(start, start + documentsPerRequest));
  let tokens: readonly string[] = [];
  const push = async (): Promise<void> => {
    for (let request = requests.shift(); request !== undefined; request = requests.shift()) {
      const answer = await call(service, "POST", "/api/indexing/documents", { documents: request.map(toDocument) });
      tokens = [...tokens, answer.headers.get("x-consistency-token") ?? ""].slice(-requestsInFlight);
    }
  };
  await Promise.all(Array.from({ length: requestsInFlight }, push));
  await untilSearchable(service, key, tokens.join(","));
}

/** The service answers 503 while it is still behind one of the tokens: then ask again, as a client would. */
async function untilSearchable(service: ServiceProcess, key: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.url}/api/beta/search?query=bench&count=1`, {
      headers: { authorization: `Bearer ${key}`, "x-consistency-token": token },
    });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503) throw new Error(`The search answered ${answer.status}.`);
  }
}

/**
 * The peer: SQLite's own full-text table with its default settings, durable, in transactions as large as our requests.
 */
function importRaw(documents: readonly CorpusDocument[]): void {
  const folder = mkdtempSync(join(tmpdir(), "enterprise-search-raw-"));
  const database = new Database(join(folder, "raw.sqlite"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE VIRTUAL TABLE documents USING fts5 (id UNINDEXED, title, body)");
  const insert = database.prepare("INSERT INTO documents VALUES (?, ?, ?)");
  const insertAll = database.transaction((rows: readonly CorpusDocument[]) => {
    for (const row of rows) insert.run(row.id, row.title, row.text);
  });
  for (let start = 0; start < documents.length; start += documentsPerRequest)
    insertAll(documents.slice(start, start + documentsPerRequest));
  database.close();
  rmSync(folder, { recursive: true });
}

async function measureSingleWrites(service: ServiceProcess, peerUrl: string, rounds: number): Promise<Measurement> {
  const document = new Corpus(11).document("single");
  let serial = 0;
  const bodyOf = (): string => JSON.stringify({ documents: toDocument({ ...document, id: `single-${serial++}` }) });
  const figures = await interleave(
    rounds,
    () => postsPerSecond(service.url, service.serviceAccount, bodyOf),
    () => postsPerSecond(peerUrl, service.serviceAccount, bodyOf),
  );
  const name = "durable single POSTs, 32 clients ÷ a Koa service that routes and reads the same body";
  return perSecond(name, 0.3, figures, rounds);
}

function perSecond(
  name: string,
  minimum: number,
  figures: { readonly ours: readonly number[]; readonly peer: readonly number[] },
  rounds: number,
): Measurement {
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  return { name, ...atLeast(minimum, ours / peer), ours: `${ours.toFixed(0)}/s`, peer: `${peer.toFixed(0)}/s`, rounds };
}

async function postsPerSecond(url: string, credential: string, bodyOf: () => string): Promise<number> {
  const result = await autocannon({
    url: `${url}/api/indexing/documents`,
    connections,
    duration: secondsPerRound,
    requests: [
      {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${credential}` },
        setupRequest: (request) => ({ ...request, body: bodyOf() }),
      },
    ],
  });
  return rateOf(result);
}

/**
 * Writes a document and who may see it, and asks for it again and again. The service must have the benchmark's
 * datasource.
 */
export async function measureCheckAccess(
  service: ServiceProcess,
  peerUrl: string,
  rounds: number,
  { name, minimum }: CheckAccessTarget = embedded,
): Promise<Measurement> {
  const question = await accessQuestion(service);
  const headers = { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` };
  const asked = async (url: string): Promise<number> =>
    rateOf(
      await autocannon({
        url: `${url}/api/indexing/documents/check-access`,
        connections,
        duration: secondsPerRound,
        method: "POST",
        headers,
        body: JSON.stringify(question),
      }),
    );
  const [ours, peer] = [() => asked(service.url), () => asked(peerUrl)];
  // What is compiled while it runs is compiled after a round of each: the same person asks again for days.
  await interleave(1, ours, peer);
  const figures = await interleave(rounds, ours, peer);
  return perSecond(name, minimum, figures, rounds);
}

/** A person who reaches the document through three nested groups. */
async function accessQuestion(service: ServiceProcess): Promise<object> {
  const user_email = "check@example.org";
  await call(service, "POST", "/api/indexing/users", { datasource, user: { email: user_email } });
  const groups = ["inner", "middle", "outer"];
  for (const name of groups) await call(service, "POST", "/api/indexing/groups", { datasource, group: { name } });
  const addMembership = (membership: object): Promise<Response> =>
    call(service, "POST", "/api/indexing/memberships", { datasource, membership });
  await addMembership({ group_name: "inner", member_email: user_email });
  await addMembership({ group_name: "middle", member_group_name: "inner" });
  await addMembership({ group_name: "outer", member_group_name: "middle" });
  const document = { ...toDocument(new Corpus(13).document("checked")), permissions: { allowed_groups: ["outer"] } };
  const written = await call(service, "POST", "/api/indexing/documents", { documents: document });
  const question = { datasource, document_id: "checked", user_email };
  const token = written.headers.get("x-consistency-token") ?? "";
  const answer = await call(service, "POST", "/api/indexing/documents/check-access", question, token);
  const { has_access } = (await answer.json()) as { has_access: boolean };
  if (!has_access) throw new Error("The person of the check-access measurement has no access.");
  return question;
}

async function registeredKey(service: ServiceProcess, email: string): Promise<string> {
  await call(service, "POST", "/api/indexing/users", { datasource, user: { email } });
  return service.createKey(email);
}

function rateOf(result: autocannon.Result): number {
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success and ${result.errors} requests failed.`);
  return result.requests.total / result.duration;
}

const toDocument = ({ id, title, text }: CorpusDocument): object => ({
  datasource,
  id,
  title,
  body: { mime_type: "text/plain", text_content: text },
  file_type: "file",
});

/** 503 with a token means that the write is not served yet: the call is repeated until it is. */
async function call(
  service: ServiceProcess,
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<Response> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${service.serviceAccount}`,
      ...(token === undefined ? {} : { "x-consistency-token": token }),
    },
    body: JSON.stringify(body),
  });
  if (answer.status === 503 && token !== undefined) return call(service, method, path, body, token);
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
