import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import type { LiveLoads } from "../../../projections/ports.js";
import { openFolderLiveLoads } from "../../adapters/liveLoad/openFolderLiveLoads.js";
import { readModelNames } from "../../events/projection.js";
import type { ProjectionFeed } from "../projectionFeed.js";
import type { ReadModelConfig } from "../readModelEngine.js";
import type { AnswerTimes } from "./answerTimes.js";
import { Pace } from "./pace.js";
import { restElsewhere } from "./throttle.js";

/** So often processes tell, and look, while a version is under way. */
const everyMs = 250;
/** Nobody waits long for this. */
const connectTimeoutMs = 1_000;

export interface LiveLoadOptions {
  readonly config: ReadModelConfig;
  readonly feed: ProjectionFeed;
  /** As for `Throttle`. */
  readonly underWay: Int32Array;
  readonly logger: Logger;
}

/** Without Redis all processes share the data folder. */
async function openLiveLoads({ redisUrl: url, namespace, dataDir }: ReadModelConfig): Promise<LiveLoads> {
  if (url === null) return openFolderLiveLoads({ folder: join(dataDir, "load") });
  const { openRedisLiveLoads } = await import("../redisAdapters.js");
  return openRedisLiveLoads({ url, namespace, connectTimeoutMs });
}

/**
 * While a version of any read model is under way, tells those who bring it up how people fare that this process
 * answers. With no rebuild it does nothing but remember what is usual, and while nobody asks it says nothing.
 */
export function tellLiveLoad(options: LiveLoadOptions & { readonly times: AnswerTimes }): { stop(): Promise<void> } {
  const { underWay, times } = options;
  const process = randomUUID();
  let told = 0;
  return whileUnderWay(options, {
    begin: () => times.rememberAsUsual(),
    step: async (loads) => {
      const asked = Atomics.load(underWay, 0);
      if (asked > 0 || times.isAsked())
        await loads.tell(process, { told: ++told, underWay: asked, slowdown: times.slowdown() });
    },
    end: () => undefined,
  });
}

/**
 * While a version of any read model is under way, tells the threads that bring it up how long to rest for people whom
 * others answer.
 */
export function followLiveLoad(options: LiveLoadOptions): { stop(): Promise<void> } {
  const { underWay, logger } = options;
  let pace = new Pace();
  let isResting = false;
  const restFor = (rest: number): void => {
    Atomics.store(underWay, restElsewhere, Math.round(rest * 100));
    if (rest > 0 !== isResting)
      logger.info(
        { rest },
        rest > 0 ? "Rebuilds rest for people whom other processes answer." : "Rebuilds need not rest any more.",
      );
    isResting = rest > 0;
  };
  return whileUnderWay(options, {
    begin: () => (pace = new Pace()),
    step: async (loads) => restFor(pace.after(await loads.list())),
    end: () => restFor(0),
  });
}

interface Steps {
  begin(): unknown;
  step(loads: LiveLoads): Promise<void>;
  end(): void;
}

/** Whatever cannot be told or read is left out: the pace is a courtesy, and the next step tries again. */
function whileUnderWay(
  { config, feed, logger }: LiveLoadOptions,
  { begin, step, end }: Steps,
): { stop(): Promise<void> } {
  let running: { readonly timer: NodeJS.Timeout; readonly loads: Promise<LiveLoads> } | null = null;
  let stepping: Promise<void> | null = null;
  const take = (loads: Promise<LiveLoads>): void => {
    stepping ??= loads
      .then((opened) => step(opened))
      .catch((error: unknown) => logger.debug({ err: error }, "How people fare could not be told among processes."))
      .finally(() => (stepping = null));
  };
  const stop = async (): Promise<void> => {
    if (running === null) return;
    const { timer, loads } = running;
    running = null;
    clearInterval(timer);
    await stepping;
    end();
    (await loads).close();
  };
  const look = (): void => {
    const isUnderWay = readModelNames.some((name) => feed.of(name).underWay !== null);
    if (!isUnderWay) return void stop();
    if (running !== null) return;
    begin();
    const loads = openLiveLoads(config);
    running = { loads, timer: setInterval(() => take(loads), everyMs).unref() };
  };
  const unsubscribe = feed.onChange(look);
  look();
  return {
    stop: async () => {
      unsubscribe();
      await stop();
    },
  };
}
