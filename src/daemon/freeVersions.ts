import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ProjectionState } from "../../commands/projection/versions.js";
import { firstVersion } from "../events/projection.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";
import { isAheadOfLive } from "./versioned.js";

/** After this time the readers of a dropped version, in every process, have switched to another one. */
const defaultGraceMs = 5_000;

/** Versions that there were once and that nobody needs any more. */
function droppedVersions({ newest, live, kept, underWay }: ProjectionState): readonly number[] {
  const numbers = Array.from({ length: newest }, (_, index) => firstVersion + index);
  return numbers.filter((version) => version !== live && version !== underWay?.version && !kept.includes(version));
}

interface VersionSweeping {
  /** The read models whose versions this process frees. */
  readonly readModels: readonly ReadModel[];
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  /** How long a dropped version stays, for its readers to end; five seconds where left out. */
  readonly graceMs?: number;
}

interface DroppedVersion {
  readonly readModel: ReadModel;
  readonly version: number;
}

/**
 * Frees what dropped versions have stored. Doing it again does no harm, so a process that projects does it at the start
 * as well.
 */
export class VersionSweeper {
  private readonly stopping = new AbortController();
  private readonly freed = new Set<string>();
  private readonly unsubscribe: () => void;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly sweeping: VersionSweeping) {
    const { readModels, feed } = sweeping;
    this.unsubscribe = feed.onChange((changed) => this.sweep(readModels.filter(({ name }) => name === changed)));
    this.sweep(readModels);
  }

  /** Resolves once what was dropped so far has been freed. */
  idle(): Promise<void> {
    return this.last;
  }

  async close(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    await this.last;
  }

  private sweep(readModels: readonly ReadModel[]): void {
    const due = readModels
      .flatMap((readModel) =>
        droppedVersions(this.sweeping.feed.of(readModel.name)).map((version) => ({ readModel, version })),
      )
      .filter((dropped) => !this.freed.has(keyOf(dropped)));
    if (due.length === 0) return;
    for (const dropped of due) this.freed.add(keyOf(dropped));
    this.last = Promise.all([this.last, this.freeAll(due)]).then(() => undefined);
  }

  private async freeAll(due: readonly DroppedVersion[]): Promise<void> {
    const { graceMs = defaultGraceMs } = this.sweeping;
    const isOver = await sleep(graceMs, false, { signal: this.stopping.signal }).catch(() => true);
    for (const dropped of isOver ? [] : due) {
      try {
        if (this.isStillUsed(dropped)) this.lookAgain(dropped);
        else await dropped.readModel.drop(dropped.version);
      } catch (error) {
        this.freed.delete(keyOf(dropped));
        this.sweeping.logger.warn(
          { err: error, name: dropped.readModel.name, version: dropped.version },
          "What a dropped version has stored could not be freed; it is tried again later.",
        );
      }
    }
  }

  /** Whether it still stands in, in this data folder, for the live version, which another process has activated. */
  private isStillUsed({ readModel, version }: DroppedVersion): boolean {
    return isAheadOfLive(readModel, version, this.sweeping.feed.of(readModel.name));
  }

  private lookAgain(dropped: DroppedVersion): void {
    this.freed.delete(keyOf(dropped));
    this.sweep([dropped.readModel]);
  }
}

const keyOf = ({ readModel, version }: DroppedVersion): string => `${readModel.name}-${version}`;
