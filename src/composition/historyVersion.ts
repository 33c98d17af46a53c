import type { ParkedEvent } from "../../projections/ports.js";
import type { HistoryPage, HistoryPageRequest } from "../audit/asOf/historyPages.js";
import type { LogClock } from "../audit/ports/log.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import { openSqliteHistoryClock } from "../adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { ThreadClient } from "../adapters/threads/threadClient.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import type { Result } from "../shared/result.js";
import { historyFile } from "./localHistory.js";

export interface HistoryVersionOptions {
  readonly dataDir: string;
  readonly version: number;
  readonly patienceMs: number;
  logHead(): Promise<Position>;
}

/** One version of the permission history in this data folder, from the first question that it is asked to the last. */
export class HistoryVersion {
  readonly version: number;
  readonly clock: LogClock & Checkpointed & { parked(): Promise<readonly ParkedEvent[]> };
  private readonly file: string;
  private readonly opened: ReturnType<typeof openSqliteHistoryClock>;
  private thread: ThreadClient | null = null;
  private inUse = 0;
  private isSuperseded = false;
  private readonly waits = new Set<() => void>();
  private whenIdle: (() => void) | null = null;

  constructor({ dataDir, version, patienceMs, logHead }: HistoryVersionOptions) {
    this.version = version;
    this.file = historyFile(dataDir, version);
    this.opened = openSqliteHistoryClock({ file: this.file, logHead, patienceMs });
    const { opened } = this;
    this.clock = {
      position: () => opened.position(),
      reached: (position, timeoutMs) =>
        this.orSuperseded(opened.reached(position, timeoutMs), (giveUp) => giveUp(false)),
      positionAt: (time) => this.orSuperseded(opened.positionAt(time), (_, fail) => fail(supersession())),
      timeAt: (position) => this.orSuperseded(opened.timeAt(position), (_, fail) => fail(supersession())),
      parked: () => opened.parked(),
    };
  }

  get superseded(): boolean {
    return this.isSuperseded;
  }

  /** In a thread that starts when it is needed first. */
  readonly page = (request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>> => {
    this.thread ??= new ThreadClient(new URL("./permissionHistoryThread.js", import.meta.url), {
      name: "permission history",
      workerData: { file: this.file },
    });
    return this.thread.call("page", request);
  };

  enter(): void {
    this.inUse++;
  }

  leave(): void {
    if (--this.inUse === 0 && this.isSuperseded) this.whenIdle?.();
  }

  /** Whatever waits in it waits no longer; it is closed with the last question. */
  async retire(): Promise<void> {
    this.isSuperseded = true;
    for (const giveUp of this.waits) giveUp();
    if (this.inUse > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    await this.thread?.close();
    this.opened.close();
  }

  private orSuperseded<Value>(
    waiting: Promise<Value>,
    giveUp: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const end = (): void => giveUp(resolve, reject);
      this.waits.add(end);
      waiting.then(resolve, reject).finally(() => this.waits.delete(end));
      if (this.isSuperseded) end();
    });
  }
}

const supersession = (): ReadModelUnavailable =>
  new ReadModelUnavailable("Another version of the permission history is served by now.");
