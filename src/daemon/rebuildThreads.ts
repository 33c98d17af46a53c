import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { ComparisonSummary, ReadModelName } from "../events/projection.js";
import type { BuildReports } from "./buildVersion.js";
import type { OnProjectionError, ProjectionErrorReport } from "./projectAndLog.js";
import type { ProjectionStateByName, ToldProjectionFeed } from "./projectionFeed.js";

/** What the thread that builds versions of one read model is started with. */
export interface RebuildThreadData<Config> {
  readonly name: ReadModelName;
  readonly config: Config;
  /** The states when the thread is started. */
  readonly projections: ProjectionStateByName;
}

/** What the thread reports. */
export type RebuildReport =
  | { readonly kind: "compared"; readonly version: number; readonly comparison: ComparisonSummary }
  | { readonly kind: "ready"; readonly version: number }
  | { readonly kind: "projectionError"; readonly projectionError: ProjectionErrorReport };

interface RebuildThreadsOptions {
  /** The file that the thread runs, and the settings that it is given. */
  readonly entry: URL;
  readonly config: object;
  /** The read models whose versions this process builds. */
  readonly names: readonly ReadModelName[];
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly onProjectionError: OnProjectionError;
  /** How long others may begin what is under way before this process does. */
  readonly beginAfterMs: number;
  /** Carries out what the reports ask for. */
  reportsOf(name: ReadModelName): BuildReports;
}

const restartDelayMs = 1_000;

/**
 * Starts a thread whenever a version of a read model is under way, to build it. A thread that died is started again,
 * and goes on from what is stored.
 */
export function startRebuildThreads(options: RebuildThreadsOptions): { stop(): Promise<void> } {
  const threads = options.names.map((name) => new RebuildThread(name, options));
  const unsubscribe = options.feed.onChange((changed) => {
    for (const thread of threads) thread.follow(changed);
  });
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

class RebuildThread {
  private worker: Worker | null = null;
  private ended: Promise<unknown> = Promise.resolve();
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;

  constructor(
    private readonly name: ReadModelName,
    private readonly options: RebuildThreadsOptions,
  ) {
    this.startAfter(options.beginAfterMs);
  }

  follow(changed: Parameters<Parameters<ToldProjectionFeed["onChange"]>[0]>[0]): void {
    this.worker?.postMessage({ projection: changed, state: this.options.feed.of(changed) });
    if (changed === this.name) this.startAfter(this.options.beginAfterMs);
  }

  /** Resolves once the thread has released everything. What it did so far is stored. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    this.worker?.postMessage("stop");
    await this.ended;
  }

  private startAfter(delayMs: number): void {
    clearTimeout(this.restart);
    if (delayMs === 0) this.startWhereNeeded();
    else this.restart = setTimeout(() => this.startWhereNeeded(), delayMs);
  }

  private startWhereNeeded(): void {
    const { entry, config, feed, reportsOf, onProjectionError, logger } = this.options;
    if (this.stopping || this.worker !== null || feed.of(this.name).underWay === null) return;
    clearTimeout(this.restart);
    const workerData: RebuildThreadData<object> = { name: this.name, config, projections: feed.all() };
    const worker = new Worker(entry, { workerData, name: `${this.name} rebuild` });
    const reports = reportsOf(this.name);
    worker.on("message", (report: RebuildReport) => {
      if (report.kind === "compared") reports.compared(report.version, report.comparison);
      else if (report.kind === "ready") reports.ready(report.version);
      else onProjectionError(report.projectionError);
    });
    worker.on("error", (error) =>
      logger.error(
        { err: error, projection: this.name },
        "A thread that builds a version was ended; it is started again.",
      ),
    );
    this.worker = worker;
    this.ended = new Promise<void>((resolve) =>
      worker.once("exit", (code) => resolve(this.goOn(code === 0 ? 0 : restartDelayMs))),
    );
  }

  /** Another version may be under way by now, or, after a death, the same one still. */
  private goOn(delayMs: number): void {
    this.worker = null;
    if (this.stopping || this.options.feed.of(this.name).underWay === null) return;
    this.startAfter(delayMs);
  }
}
