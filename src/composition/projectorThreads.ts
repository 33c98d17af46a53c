import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { keepsHistory } from "./duties.js";
import type { ToldProjectionFeed } from "./projectionFeed.js";
import type { OnProjectionError, ProjectionErrorReport } from "./projectorGroup.js";
import type { ProjectorThreadData, ProjectorThreadMessage } from "./projectorThread.js";
import type { ProjectorConfig, ProjectorGroupName } from "./projectors.js";

const restartDelayMs = 1_000;

/** As {@link ProjectorConfig}; every thread logs by itself. */
export interface ProjectorThreadsConfig extends ProjectorConfig {
  readonly logLevel: string;
  readonly role: Config["role"];
}

function groupsOf(config: ProjectorThreadsConfig): readonly ProjectorGroupName[] {
  const groups: readonly ProjectorGroupName[] = config.role === "api" ? [] : ["search", "readModels"];
  return keepsHistory(config) ? [...groups, "permissionHistory"] : groups;
}

/**
 * Runs each group of projections of this process in a thread of its own, and starts a thread that died again: it goes
 * on from its checkpoint.
 */
export function startProjectorThreads(
  config: ProjectorThreadsConfig,
  feed: ToldProjectionFeed,
  logger: Logger,
  onProjectionError: OnProjectionError,
): { stop(): Promise<void> } {
  const threads = groupsOf(config).map((group) => new ProjectorThread(group, config, feed, logger, onProjectionError));
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
    private readonly group: ProjectorGroupName,
    private readonly config: ProjectorThreadsConfig,
    private readonly feed: ToldProjectionFeed,
    private readonly logger: Logger,
    private readonly onProjectionError: OnProjectionError,
  ) {
    this.worker = this.start();
  }

  /** A thread that is started anew later begins with it. */
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
    const { logLevel, role: _role, ...config } = this.config;
    const workerData: ProjectorThreadData = { group: this.group, config, logLevel, projections: this.feed.all() };
    const worker = new Worker(new URL("./projectorThread.js", import.meta.url), {
      workerData,
      name: `${this.group} projector`,
    });
    worker.on("message", (report: ProjectionErrorReport) => this.onProjectionError(report));
    // Only what the thread could not log itself, such as that its memory did not suffice.
    worker.on("error", (error) =>
      this.logger.error({ err: error, projector: this.group }, "A projector thread was ended; it is started again."),
    );
    worker.on("exit", () => this.startAgain());
    return worker;
  }

  private startAgain(): void {
    if (this.stopping) return;
    this.restart = setTimeout(() => (this.worker = this.start()), restartDelayMs);
  }
}
