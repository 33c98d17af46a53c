import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { timingSafeEqual } from "node:crypto";
import type { ProjectionStatus } from "../readModels/projectionStatus.js";
import type { Position } from "../shared/position.js";
import type { CountedModelCalls } from "../shared/modelCalls.js";
import { version as programVersion } from "../version.js";
import type { DataDisk } from "./ports.js";
import { hashSecret } from "../shared/credential.js";
import { bearerToken, unauthorized } from "./authentication.js";
import type { Route } from "./route.js";

/** How far the log goes, and each read model with it. */
export interface Progress {
  readonly log: Position;
  /** By the name of the read model. */
  readonly readModels: Readonly<Record<string, Position>>;
  readonly projections: readonly ProjectionStatus[];
  /** See `ProjectionsAnswer`. */
  readonly bulkRemovals: number | null;
}

/** The models that searches ask. */
export interface ModelsInUse {
  /** How calls ended, since the start. */
  calls(): readonly CountedModelCalls[];
  /** Up to 100,000; null: no model makes any. */
  documentsWithoutVectors(): Promise<number | null>;
}

const noModels: ModelsInUse = { calls: () => [], documentsWithoutVectors: async () => null };

const prefix = "enterprise_search_";
const freshForMs = 1_000;
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Memory, CPU, event loop and garbage collection. They are the process's, so they are collected once in it, from the
 * first time that somebody asks.
 */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/**
 * What operators watch, in the text format of Prometheus: counts and times, never what people ask, send or are called.
 */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly measured = new Registry();
  private readonly requests = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: "Time from a request's head to its answer. Route: as in the API description, none where there is no such address.",
    labelNames: ["method", "route", "status"],
    buckets: secondsBuckets,
    registers: [this.measured],
  });
  private readonly logPosition = new Gauge({
    name: `${prefix}log_position`,
    help: "Position of the newest event.",
    registers: [this.measured],
  });
  private readonly readModelPosition = new Gauge({
    name: `${prefix}read_model_position`,
    help: "Up to which position of the log a read model serves; behind log_position it lags. Missing where it is not available.",
    labelNames: ["read_model"],
    registers: [this.measured],
  });

  private readonly bulkRemovals = new Gauge({
    name: `${prefix}bulk_removals`,
    help: "Pushes of the last seven days by which more than a fifth of a datasource's documents or grants went.",
    registers: [this.measured],
  });
  private readonly diskFull = new Gauge({
    name: `${prefix}disk_full`,
    help: "1 while the disk of the data folder has no room for what is to be written.",
    registers: [this.measured],
  });
  private readonly diskFree = new Gauge({
    name: `${prefix}disk_free_bytes`,
    help: "What is left on the disk of the data folder; missing where nobody can tell.",
    registers: [this.measured],
  });
  private readonly diskReserve = new Gauge({
    name: `${prefix}disk_reserve_bytes`,
    help: "What is kept of DISK_RESERVE_BYTES for revocations and sign-ins; it is given up bit by bit while others fill the disk.",
    registers: [this.measured],
  });
  private readonly documentsWithoutVectors = new Gauge({
    name: `${prefix}documents_without_vectors`,
    help: "Documents that the model of EMBEDDINGS_URL has yet to be shown, counted up to 100,000: they are found by their words alone. Missing without such a model.",
    registers: [this.measured],
  });
  private readonly ofProjections = projectionGauges(this.measured);

  private latest: Promise<string> | null = null;

  constructor(
    private readonly progress: () => Promise<Progress>,
    private readonly disk: Pick<DataDisk, "isFull" | "freeBytes" | "reservedBytes">,
    private readonly models: ModelsInUse = noModels,
  ) {
    countModelCalls(this.measured, () => models.calls());
    const buildInfo = new Gauge({
      name: `${prefix}build_info`,
      help: "1; the labels say which program this is.",
      labelNames: ["version", "node"],
      registers: [this.measured],
    });
    buildInfo.set({ version: programVersion, node: process.version }, 1);
  }

  /** Counts the ends of earlier processes on the data folder: a process that is ended cannot count itself. */
  tellWatchdogEnds(ends: number): void {
    const ended = new Counter({
      name: `${prefix}watchdog_ends_total`,
      help: "How often a process on this data folder was ended because its main thread stood still.",
      registers: [this.measured],
    });
    ended.inc(ends);
  }

  observe(method: string, route: string | null, status: number, seconds: number): void {
    this.requests.observe({ method, route: route ?? "none", status }, seconds);
  }

  /** The metrics, a second old at most: asking more often costs nothing. */
  text(): Promise<string> {
    this.latest ??= this.take().finally(() => setTimeout(() => (this.latest = null), freshForMs).unref());
    return this.latest;
  }

  private async take(): Promise<string> {
    await Promise.all([this.takeProgress(), this.takeDisk(), this.takeVectors()]);
    return `${await this.measured.metrics()}\n${await processMetrics().metrics()}`;
  }

  private async takeDisk(): Promise<void> {
    const [isFull, freeBytes] = await Promise.all([this.disk.isFull(), this.disk.freeBytes()]);
    this.diskFull.set(isFull ? 1 : 0);
    if (freeBytes === null) this.diskFree.remove();
    else this.diskFree.set(freeBytes);
    this.diskReserve.set(this.disk.reservedBytes);
  }

  private async takeVectors(): Promise<void> {
    const documents = await this.models.documentsWithoutVectors().catch(() => null);
    if (documents === null) this.documentsWithoutVectors.remove();
    else this.documentsWithoutVectors.set(documents);
  }

  /** Where the engines are down, everything else is still worth telling. */
  private async takeProgress(): Promise<void> {
    this.logPosition.remove();
    this.readModelPosition.reset();
    this.ofProjections.forget();
    this.bulkRemovals.remove();
    const progress = await this.progress().catch(() => null);
    if (progress === null) return;
    this.logPosition.set(Number(progress.log));
    for (const [name, position] of Object.entries(progress.readModels))
      this.readModelPosition.set({ read_model: name }, Number(position));
    this.ofProjections.take(progress.projections);
    if (progress.bulkRemovals !== null) this.bulkRemovals.set(progress.bulkRemovals);
  }
}

/** Counted elsewhere, and taken over when somebody asks. */
function countModelCalls(measured: Registry, counted: () => readonly CountedModelCalls[]): void {
  const calls = new Counter({
    name: `${prefix}model_calls_total`,
    help: "Calls of searches to the models that settings name, by how they ended; skipped: not made, because the server kept failing.",
    labelNames: ["purpose", "outcome"],
    registers: [],
    collect() {
      this.reset();
      for (const { calls: times, ...labels } of counted()) this.inc({ ...labels }, times);
    },
  });
  measured.registerMetric(calls);
}

/** One value per projection. What cannot be told is missing. */
function projectionGauges(registry: Registry): {
  forget(): void;
  take(projections: readonly ProjectionStatus[]): void;
} {
  const gauge = (name: string, help: string): Gauge<"projection"> =>
    new Gauge({ name: `${prefix}projection_${name}`, help, labelNames: ["projection"], registers: [registry] });
  const gauges: readonly (readonly [Gauge<"projection">, (status: ProjectionStatus) => number | undefined | null])[] = [
    [
      gauge("lag_events", "Events of the log that the projection has yet to apply, counted up to a thousand."),
      ({ lag }) => lag?.events,
    ],
    [gauge("lag_seconds", "Since the oldest of them was decided."), ({ lag }) => lag?.seconds],
    [gauge("parked_events", "Events that the projection could not apply."), ({ parked }) => parked],
    [gauge("version", "The version that is served."), ({ version }) => version],
    [
      gauge("paused", "1 while the projection stands still because an operator said so."),
      ({ state }) => (state === "paused" ? 1 : 0),
    ],
    [
      gauge("building", "How much of another version is built, from 0 to 1; missing while none is."),
      ({ under_way: underWay }) => underWay?.progress,
    ],
  ];
  return {
    forget: () => {
      for (const [each] of gauges) each.reset();
    },
    take: (projections) => {
      for (const [each, valueOf] of gauges) {
        for (const status of projections) {
          const value = valueOf(status);
          if (typeof value === "number") each.set({ projection: status.name }, value);
        }
      }
    },
  };
}

/**
 * For Prometheus. Open, as the health routes are, but where a token is asked for: without one, who may reach it is a
 * matter of the network.
 */
export function metricsRoute(metrics: Metrics, token: string | null): Route {
  const expected = token === null ? null : Buffer.from(hashSecret(token));
  const isExpected = (given: string | null): boolean =>
    expected === null || (given !== null && timingSafeEqual(Buffer.from(hashSecret(given)), expected));
  return {
    method: "GET",
    path: "/metrics",
    access: "open",
    isProbe: true,
    async handle(context) {
      if (!isExpected(bearerToken(context.req.headers.authorization)))
        throw unauthorized("Metrics need the header `Authorization: Bearer <token>` with the token of METRICS_TOKEN.");
      context.set("Content-Type", metrics.contentType);
      context.body = Buffer.from(await metrics.text());
    },
  };
}
