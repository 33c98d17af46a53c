import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ProjectionName } from "../events/projection.js";
import { RestartedWorker, type ThreadWatch } from "../shared/restartedWorker.js";
import type { OnProjectionError, ProjectionErrorReport } from "./projectAndLog.js";
import type { ProjectionStateByName, ToldProjectionFeed } from "./projectionFeed.js";

/** What the thread that projects a group of read models is started with. */
export interface ProjectorThreadData<Config> {
  readonly group: string;
  readonly config: Config;
  /** The states when the thread is started. */
  readonly projections: ProjectionStateByName;
}

/** What a thread is told: to end, or that something has changed. */
export type ProjectorThreadMessage = "stop" | { readonly projection: ProjectionName; readonly state: ProjectionState };

interface ProjectorThreadsOptions {
  /** The file that the threads run, and the settings that they are given. */
  readonly entry: URL;
  readonly config: object;
  readonly groups: Iterable<string>;
  readonly feed: ToldProjectionFeed;
  readonly onProjectionError: OnProjectionError;
  /** Told when a thread ends, and when it is back. */
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
  const running = [...options.groups].map((group) => projectorThread(group, options));
  const unsubscribe = feed.onChange((projection) => {
    // A thread that is down misses the message, and starts with the states of that time.
    for (const thread of running)
      thread.post({ projection, state: feed.of(projection) } satisfies ProjectorThreadMessage);
  });
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all(running.map(stop));
    },
  };
}

const projectorThread = (
  group: string,
  { entry, config, feed, threads, onProjectionError }: ProjectorThreadsOptions,
): RestartedWorker =>
  new RestartedWorker({
    ...{ entry, threads, name: `${group} projector` },
    options: () => ({
      workerData: { group, config, projections: feed.all() } satisfies ProjectorThreadData<object>,
    }),
    onMessage: (message) => {
      const report = message as ProjectorThreadReport;
      if (report !== "atWork") onProjectionError(report);
    },
    onEnded: () => undefined,
  });

/** Resolves once the thread has saved its checkpoint and ended. */
function stop(thread: RestartedWorker): Promise<void> {
  thread.post("stop" satisfies ProjectorThreadMessage);
  return thread.ended();
}
