import { Worker } from "node:worker_threads";
import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ProjectionName } from "../events/projection.js";
import type { ThreadWatch } from "../shared/threadWatch.js";
import type { OnProjectionError, ProjectionErrorReport } from "./projectAndLog.js";
import type { ProjectionStateByName, ToldProjectionFeed } from "./projectionFeed.js";

const restartDelayMs = 1_000;

/** What the thread that projects a group of read models is started with. */
export interface ProjectorThreadData<Config> {
  readonly group: string;
  readonly config: Config;
  /** The states when the thread is started. */
  readonly projections: ProjectionStateByName;
}

/** What a thread is told: to end, or that something has changed. */
export type ProjectorThreadMessage = "stop" | { readonly projection: ProjectionName; readonly state: ProjectionState };

export interface ProjectorThreadsOptions {
  /** The file that the threads run, and the settings that they are given. */
  readonly entry: URL;
  readonly config: object;
  readonly groups: Iterable<string>;
  readonly feed: ToldProjectionFeed;
  readonly onProjectionError: OnProjectionError;
  /** Told where a thread ends, and when it is back. */
  readonly threads: ThreadWatch;
}

/** What a thread tells: that it is at work, or why a projection could not go on. */
export type ProjectorThreadReport = "atWork" | ProjectionErrorReport;

/**
 * Runs each group of projections of this process in a thread of its own, and starts a thread that died again: it goes
 * on from its checkpoint.
 */
export function startProjectorThreads(options: ProjectorThreadsOptions): { stop(): Promise<void> } {
  const { feed } = options;
  const threads = [...options.groups].map((group) => new ProjectorThread(group, options));
  const unsubscribe = feed.onChange((projection) => {
    for (const thread of threads) thread.tell({ projection, state: feed.of(projection) });
  });
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

class ProjectorThread {
  private worker: Worker;
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;

  constructor(
    private readonly group: string,
    private readonly options: ProjectorThreadsOptions,
  ) {
    this.worker = this.start();
  }

  /** A thread that is restarted later begins with it. */
  tell(message: ProjectorThreadMessage): void {
    this.worker.postMessage(message);
  }

  /** Resolves once the thread has saved its checkpoint and ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    if (this.worker.threadId === -1) return;
    const ended = new Promise((resolve) => this.worker.once("exit", resolve));
    this.worker.postMessage("stop");
    await ended;
  }

  private start(): Worker {
    const { entry, config, feed, onProjectionError, threads } = this.options;
    const workerData: ProjectorThreadData<object> = { group: this.group, config, projections: feed.all() };
    const worker = new Worker(entry, { workerData, name: `${this.group} projector` });
    worker.on("message", (report: ProjectorThreadReport) =>
      report === "atWork" ? threads.noteBack(this) : onProjectionError(report),
    );
    let reason: Error | null = null;
    worker.on("error", (error: Error) => (reason = error));
    worker.on("exit", (code) => this.startAgain(reason ?? new Error(`The thread ended with code ${code}.`)));
    return worker;
  }

  private startAgain(reason: Error): void {
    if (this.stopping) return;
    this.options.threads.ended(this, `${this.group} projector`, reason);
    this.restart = setTimeout(() => (this.worker = this.start()), restartDelayMs);
  }
}
