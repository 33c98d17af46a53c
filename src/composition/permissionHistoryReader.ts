import type { Logger } from "pino";
import type { EventSource, ParkedEvent } from "../../projections/ports.js";
import type { HistoryPage, HistoryPageRequest } from "../audit/asOf/historyPages.js";
import type { LogClock } from "../audit/ports/log.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import type { Config } from "../config.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import type { Result } from "../shared/result.js";
import { goOverToLive } from "./goOverToLive.js";
import { HistoryVersion } from "./historyVersion.js";
import { standInFor } from "./localHistory.js";
import type { ProjectionFeed } from "./projectionFeed.js";

/** One version of the permission history, as a question uses it from beginning to end. */
export interface AskedHistory {
  readonly clock: LogClock & Checkpointed;
  /**
   * Makes a page of an answer, in a thread that starts when it is needed first, so that a long one holds up nothing
   * else.
   */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
}

/** What answers about the past rest on. */
export interface PermissionHistoryReader {
  /** Of whatever version is served at each call. */
  readonly clock: LogClock & Checkpointed;
  /** How long a question waits for the history to come as far as it asks. */
  readonly patienceMs: number;
  /** Asks the version that is served; again where it waited in vain for one that another has taken the place of. */
  answer<Value>(ask: (history: AskedHistory) => Promise<Value>): Promise<Value>;
  /** The version that questions are answered from. */
  served(): number;
  /** What its projection could not apply. */
  parked(): Promise<readonly ParkedEvent[]>;
  close(): Promise<void>;
}

export interface PermissionHistoryOptions {
  /** Tells how far the log goes. */
  readonly source: EventSource;
  /** Tells which version is to be served. */
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
}

type ReaderConfig = Pick<Config, "dataDir" | "consistencyTimeoutMs">;

/**
 * Opens the permission history for questions, of the version that is served here; creates the file where no projection
 * has yet.
 */
export function openPermissionHistoryReader(
  config: ReaderConfig,
  options: PermissionHistoryOptions,
): PermissionHistoryReader & { close(): Promise<void> } {
  return new VersionedHistory(config, options);
}

const name = "permissionHistory";
const stepMs = 250;

class VersionedHistory implements PermissionHistoryReader {
  readonly patienceMs: number;
  readonly clock: LogClock & Checkpointed = {
    position: () => this.within((history) => history.clock.position()),
    reached: (position, timeoutMs) => this.reached(position, timeoutMs),
    positionAt: (time) => this.answer(({ clock }) => clock.positionAt(time)),
    timeAt: (position) => this.answer(({ clock }) => clock.timeAt(position)),
  };
  private current: HistoryVersion;
  private readonly stopping = new AbortController();
  private readonly unsubscribe: () => void;
  private last: Promise<void> = Promise.resolve();
  private readonly closings = new Set<Promise<void>>();

  constructor(
    private readonly config: ReaderConfig,
    private readonly options: PermissionHistoryOptions,
  ) {
    this.patienceMs = config.consistencyTimeoutMs;
    const state = options.feed.of(name);
    this.current = this.open(standInFor(config.dataDir, state) ?? state.live);
    this.unsubscribe = options.feed.onChange((changed) => changed === name && this.look());
    this.look();
  }

  served(): number {
    return this.current.version;
  }

  parked(): Promise<readonly ParkedEvent[]> {
    return this.within((history) => history.clock.parked());
  }

  async answer<Value>(ask: (history: AskedHistory) => Promise<Value>): Promise<Value> {
    for (;;) {
      const [outcome, superseded] = await this.within(
        async (history) => [await settled(ask(history)), history.superseded] as const,
      );
      if (superseded && hasWaitedInVain(outcome)) continue;
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    }
  }

  async close(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    await this.last;
    await Promise.all([...this.closings, this.current.retire()]);
  }

  private async reached(position: Parameters<Checkpointed["reached"]>[0], timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const left = Math.max(0, end - performance.now());
      const [reached, superseded] = await this.within(
        async (history) => [await history.clock.reached(position, left), history.superseded] as const,
      );
      if (reached || !superseded) return reached;
    }
  }

  /** The version stays open meanwhile. */
  private async within<Value>(use: (history: HistoryVersion) => Promise<Value>): Promise<Value> {
    const history = this.current;
    history.enter();
    try {
      return await use(history);
    } finally {
      history.leave();
    }
  }

  private open(version: number): HistoryVersion {
    return new HistoryVersion({
      dataDir: this.config.dataDir,
      version,
      patienceMs: this.patienceMs,
      logHead: () => this.options.source.head(),
    });
  }

  private look(): void {
    if (this.options.feed.of(name).live === this.current.version) return;
    this.last = this.last.then(() => this.goOver());
  }

  /** Until the live version is whole in this data folder, questions go on with the one before. */
  private async goOver(): Promise<void> {
    const { feed, logger } = this.options;
    await goOverToLive({
      ...{ name, feed, logger, signal: this.stopping.signal },
      served: () => this.served(),
      open: async (version) => this.open(version),
      isAsFar: (next) => this.isAsFar(next),
      replace: (next) => this.replace(next),
      close: (next) => next.retire(),
    });
  }

  private async isAsFar(next: HistoryVersion): Promise<boolean> {
    const { signal } = this.stopping;
    while (!signal.aborted && this.options.feed.of(name).live === next.version) {
      const before = await this.current.clock.position();
      if (!(await next.clock.reached(before, stepMs))) continue;
      if ((await this.current.clock.position()) <= (await next.clock.position())) return true;
    }
    return false;
  }

  private replace(next: HistoryVersion): void {
    const before = this.current;
    this.current = next;
    const closing = before
      .retire()
      .catch((error: unknown) =>
        this.options.logger.warn(
          { err: error, projection: name },
          "Readers of an earlier version could not be closed.",
        ),
      )
      .then(() => void this.closings.delete(closing));
    this.closings.add(closing);
  }
}

type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

const settled = <Value>(asked: Promise<Value>): Promise<Outcome<Value>> =>
  asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** What it asked for may be in the version that has taken over. */
function hasWaitedInVain(outcome: Outcome<unknown>): boolean {
  if ("error" in outcome) return outcome.error instanceof ReadModelUnavailable;
  const { value } = outcome;
  if (typeof value !== "object" || value === null || !("ok" in value)) return false;
  const result = value as Result<unknown, QueryFailure>;
  return !result.ok && result.error.type === "HistoryBehind";
}
