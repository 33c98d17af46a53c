import { randomBytes } from "node:crypto";
import { loadavg } from "node:os";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readFileSync, writeFileSync } from "node:fs";
import { doublingPdf, hostileFiles, longPage, type HostileFile } from "../test/support/files/hostile.js";
import type { AskReport, AskOrder } from "./hostile/messages.js";
import { registerDatasource } from "./http.js";
import { atMost, percentile, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";

const datasource = "bench";
const reader = "reader@example.org";
const timeoutMs = 10_000;
/** Of a sign of life, while any file is read. */
const longestLiveMs = 100;

/** Of the event loop, while a large body is received. */
const longestStallMs = 50;

const mostMemory = 3;
const binaryBytes = 104_857_600;
const uploadBytes = 50_000_000;

type Pushed = Pick<HostileFile, "mimeType" | "make">;

/** Beside those of the tests: what is large, and what takes the whole time limit. */
const moreFiles: Readonly<Record<string, Pushed>> = {
  "an HTML page of 50 MB": { mimeType: "text/html", make: () => longPage() },
  "a PDF whose forms show each other 2^40 times": { mimeType: "application/pdf", make: doublingPdf },
};

/**
 * What others notice of files that are made to do harm, and of large ones: how long `/health/live` and a search take
 * meanwhile, asked every few milliseconds by a process of its own.
 */
export async function measureHostileFiles(report: (line: string) => void): Promise<readonly Measurement[]> {
  const service = await startServiceProcess({ OCR: "on", EXTRACTION_TIMEOUT_MS: String(timeoutMs) });
  const key = await service.createKey(reader);
  const asker = await startAsker({ url: service.url, key });
  try {
    await registerDatasource(service);
    await untilAnswered(service, key);
    const run: Run = { service, asker, upload: (bytes) => upload(service, key, bytes) };
    const measurements = [
      await measureLive("nothing", run, () => new Promise((done) => setTimeout(() => done(""), 2_000))),
    ];
    measurements.push(await measureLive("the first upload after the start", run, () => run.upload(randomText(20_000))));
    measurements.push(await measureLive("the second one", run, () => run.upload(randomText(20_000))));
    for (const [name, { mimeType, make }] of Object.entries({ ...hostileFiles, ...moreFiles })) {
      report(name);
      const body = bodyOf(name, mimeType, make());
      measurements.push(await measureLive(name, run, () => push(service, body)));
    }
    report("large bodies");
    const large = bodyOf("large", "application/octet-stream", randomBytes(binaryBytes));
    measurements.push(...(await measureLarge("a binary of 100 MB", large.length, run, () => push(service, large))));
    const text = randomText(uploadBytes);
    measurements.push(...(await measureLarge("an upload of 50 MB", text.length, run, () => run.upload(text))));
    return measurements;
  } finally {
    asker.close();
    await service.stop();
  }
}

interface Run {
  readonly service: ServiceProcess;
  readonly asker: Asker;
  upload(bytes: Buffer): Promise<string>;
}

/** `work` answers with what became of the file. */
async function measureLive(name: string, { asker }: Run, work: () => Promise<string>): Promise<Measurement> {
  const { told, figures } = await watched(asker, work);
  return {
    name: `/health/live, the longest of all while it is given ${name} ÷ ${longestLiveMs} ms (peer: a search)`,
    ...atMost(1, Math.max(...figures.live) / longestLiveMs),
    ...{ ours: `${told}; ${spread(figures.live)}`, peer: spread(figures.search), rounds: 1 },
  };
}

async function measureLarge(
  name: string,
  bytes: number,
  { service, asker }: Run,
  work: () => Promise<string>,
): Promise<readonly Measurement[]> {
  let seen: Awaited<ReturnType<typeof watched>> | undefined;
  const growth = await peakGrowth(service.pid, async () => void (seen = await watched(asker, work)));
  const { told, figures } = seen as Awaited<ReturnType<typeof watched>>;
  const mib = (count: number): string => `${(count / 1_048_576).toFixed(0)} MiB`;
  return [
    {
      name: `/health/live, the longest of all while it is given ${name} ÷ ${longestStallMs} ms (peer: a search)`,
      ...atMost(1, Math.max(...figures.live) / longestStallMs),
      ...{ ours: `${told}; ${spread(figures.live)}`, peer: spread(figures.search), rounds: 1 },
    },
    {
      name: `${name}: memory at its peak beyond what was held before ÷ the body`,
      ...atMost(mostMemory, growth / bytes),
      ...{ ours: mib(growth), peer: mib(bytes), rounds: 1 },
    },
  ];
}

async function watched(
  asker: Asker,
  work: () => Promise<string>,
): Promise<{ readonly told: string; readonly figures: AskReport }> {
  let told = "";
  const figures = await asker.during(async () => {
    const taken = await timed(async () => (told = await work()));
    told += ` in ${(taken / 1_000).toFixed(2)} s, load ${loadavg()[0]?.toFixed(0)}`;
  });
  return { told, figures };
}

const spread = (figures: readonly number[]): string =>
  `p50 ${percentile(figures, 50).toFixed(1)}, p99 ${percentile(figures, 99).toFixed(1)}, max ${Math.max(...figures).toFixed(1)} ms`;

const bodyOf = (name: string, mime_type: string, file: Buffer): Buffer => {
  const body = { mime_type, binary_base64: file.toString("base64") };
  const id = name.replaceAll(/[^a-z0-9]+/gi, "-");
  return Buffer.from(JSON.stringify({ documents: { datasource, id, title: name, body, file_type: "file" } }));
};

async function push(service: ServiceProcess, body: Buffer): Promise<string> {
  const answer = await fetch(`${service.url}/api/indexing/documents`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` },
    body,
  });
  const { results } = (await answer.json()) as { readonly results?: readonly { readonly outcome: string }[] };
  return results?.[0]?.outcome ?? `status ${answer.status}`;
}

async function upload(service: ServiceProcess, key: string, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([bytes], { type: "text/plain" }), "words.txt");
  const answer = await fetch(`${service.url}/api/beta/files/upload?type=document`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  await answer.arrayBuffer();
  return `status ${answer.status}`;
}

/** Text that does not repeat itself. */
const randomText = (bytes: number): Buffer =>
  Buffer.from(
    randomBytes(bytes / 2)
      .toString("hex")
      .replaceAll("0", " "),
  );

/** A new key counts as soon as it is projected. */
async function untilAnswered(service: ServiceProcess, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  while (!(await fetch(`${service.url}/api/beta/search?query=words`, { headers })).ok);
}

/** A process that asks a service steadily. */
interface Asker {
  /** What the answers took while `work` was done. */
  during(work: () => Promise<void>): Promise<AskReport>;
  close(): void;
}

/** Starts an asker of this service. */
async function startAsker(order: AskOrder): Promise<Asker> {
  const child = fork(fileURLToPath(new URL("hostile/asker.js", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The asker ended while it was asking.")));
  ended.catch(() => undefined);
  const report = async (): Promise<AskReport> => {
    const [answered] = (await Promise.race([once(child, "message"), ended])) as [AskReport];
    return answered;
  };
  return {
    async during(work) {
      const reported = report();
      child.send(order);
      try {
        await Promise.race([work(), reported]);
      } finally {
        child.send("stop");
      }
      return reported;
    },
    close: () => child.disconnect(),
  };
}

const field = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;

/** How many bytes more a process held while `work` was done than before, at most; NaN where Linux does not tell. */
async function peakGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  const before = numberOrNaN(() => {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return field(pid, "VmRSS");
  });
  await work();
  return numberOrNaN(() => field(pid, "VmHWM")) - before;
}

function numberOrNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}
