import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../test/support/freePort.js";
import { atMost, interleave, median, timed, type Measurement } from "./measure.js";
import { recordTenant } from "./rebuild.js";

const bundled = fileURLToPath(new URL("../../bin/enterprise-search.js", import.meta.url));
const fewestRounds = 10;
const target = 0.6;
const pollMs = 5;
/** A start on a tenant of this size is measured as well where START_UP_DOCUMENTS names one: 1,000,000 take long. */
const tenantDocuments = Number(process.env["START_UP_DOCUMENTS"] ?? 0);

const allowedMs = 3_000;

/**
 * How long `--help` takes, and `serve` on an empty folder until it is ready, against the same program that is not
 * bundled. START_UP_PEER names another build's program instead.
 */
export async function measureStartUp(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const peer = process.env["START_UP_PEER"] ?? fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
  const taken = { "--help": helped, "serve, until it is ready": servedAfresh };
  const measurements: Measurement[] = [];
  for (const [words, start] of Object.entries(taken)) {
    report(`starting ${words}`);
    const figures = await interleave(
      Math.max(rounds, fewestRounds),
      () => start(bundled),
      () => start(peer),
    );
    const [ours, theirs] = [median(figures.ours), median(figures.peer)];
    measurements.push({
      name: `${words}: bundled ÷ not bundled`,
      ...atMost(target, ours / theirs),
      ours: `${ours.toFixed(0)} ms`,
      peer: `${theirs.toFixed(0)} ms`,
      rounds: figures.ours.length,
    });
  }
  if (tenantDocuments > 0) measurements.push(await measureTenant(rounds, report));
  return measurements;
}

/** `serve` until it is ready on a folder that it knows, a fifth as many groups as documents in one datasource. */
async function measureTenant(rounds: number, report: (line: string) => void): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "enterprise-search-bench-"));
  try {
    const [groups, people] = [tenantDocuments / 5, tenantDocuments / 50];
    const events = tenantDocuments + 2.2 * groups + 6 * people;
    const file = join(folder, "log.sqlite");
    const tenant = await recordTenant(file, { events, documents: tenantDocuments, people, groups }, report);
    report("projecting it");
    await served(bundled, folder);
    report("starting on it");
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) taken.push(await served(bundled, folder));
    return {
      name: `serve, until it is ready, on ${tenantDocuments.toLocaleString("en")} documents and ${(tenant.events - tenantDocuments).toLocaleString("en")} other events ÷ the ${allowedMs} ms that it may take`,
      ...atMost(1, median(taken) / allowedMs),
      ours: `${median(taken).toFixed(0)} ms`,
      peer: `${allowedMs} ms`,
      rounds,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const helped = (program: string): Promise<number> =>
  timed(() => once(spawn(process.execPath, [program, "--help"], { stdio: "ignore" }), "exit"));

async function servedAfresh(program: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "enterprise-search-bench-"));
  try {
    return await served(program, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function served(program: string, folder: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: folder, HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "error" };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode} before it was ready.`);
    await delay(pollMs);
  }
  const readyMs = performance.now() - startedAt;
  child.kill("SIGTERM");
  await ended;
  return readyMs;
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
