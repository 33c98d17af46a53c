import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Position } from "../shared/position.js";

/** How far the log goes, and each read model with it. */
export interface Progress {
  readonly log: Position;
  /** By the name of the read model. */
  readonly readModels: Readonly<Record<string, Position>>;
}

const prefix = "enterprise_search_";
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Memory, CPU, event loop and garbage collection: of the process, so once in it, from the first time that somebody asks. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** What operators watch, in the text format of Prometheus: counts and times, never what people ask, send or are called. */
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
  private readonly logPosition = new Gauge({ name: `${prefix}log_position`, help: "Position of the newest event.", registers: [this.measured] });
  private readonly readModelPosition = new Gauge({
    name: `${prefix}read_model_position`,
    help: "Up to which position of the log a read model serves; behind log_position it lags. Missing where it is not available.",
    labelNames: ["read_model"],
    registers: [this.measured],
  });

  constructor(private readonly progress: () => Promise<Progress>) {}

  observe(method: string, route: string | null, status: number, seconds: number): void {
    this.requests.observe({ method, route: route ?? "none", status }, seconds);
  }

  async text(): Promise<string> {
    await this.takeProgress();
    return `${await this.measured.metrics()}\n${await processMetrics().metrics()}`;
  }

  /** Where the engines are down, everything else is still worth telling. */
  private async takeProgress(): Promise<void> {
    this.logPosition.remove();
    this.readModelPosition.reset();
    const progress = await this.progress().catch(() => null);
    if (progress === null) return;
    this.logPosition.set(Number(progress.log));
    for (const [name, position] of Object.entries(progress.readModels)) this.readModelPosition.set({ read_model: name }, Number(position));
  }
}
