import type { Logger } from "pino";
import { delay } from "../shared/delay.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import type { Checkpointed } from "../../queries/ports.js";
import { goOverToLive } from "./goOverToLive.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import {
  probes,
  servedReadModelNames,
  type OpenedReader,
  type OpenedReaders,
  type ReaderByName,
  type ServedReadModelName,
} from "./readerSet.js";
import type { OpenReader } from "./readerOpener.js";
import type { ServedQueries } from "./servedQueries.js";

export interface VersionSwitchOptions {
  readonly feed: ProjectionFeed;
  readonly served: ServedQueries;
  readonly open: OpenReader;
  readonly logger: Logger;
}

const retryDelayMs = 100;
const stepMs = 250;

/**
 * Lets questions go over to the versions that the log says are served. Before that happens the new version has to
 * answer, and to have come as far as the old one, so that nobody is taken back; questions meanwhile go on with the old
 * one.
 */
export class LiveReaderSwitch {
  private readonly stopping = new AbortController();
  private readonly unsubscribe: () => void;
  private last: Promise<void> = Promise.resolve();
  private readonly closings = new Set<Promise<void>>();

  constructor(private readonly options: VersionSwitchOptions) {
    this.unsubscribe = options.feed.onChange((name) => this.look(name));
    for (const name of servedReadModelNames) this.look(name);
  }

  /** Ends what is under way, and closes the readers that are served. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    await this.last;
    await Promise.all(this.closings);
    await closeAll(Object.values(this.options.served.readerSet.opened));
  }

  private look(changed: string): void {
    const name = servedReadModelNames.find((other) => other === changed);
    if (name === undefined || this.options.feed.of(name).live === this.servedVersion(name)) return;
    this.last = this.last.then(() => this.goOver(name));
  }

  private servedVersion(name: ServedReadModelName): number {
    return openedOf(this.options.served, name).version;
  }

  private goOver<Name extends keyof ReaderByName>(name: Name): Promise<void> {
    const { feed, open, logger } = this.options;
    return goOverToLive<OpenedReader<ReaderByName[Name]>>({
      ...{ name, feed, logger, signal: this.stopping.signal },
      served: () => this.servedVersion(name),
      open: (version) => open(name, version),
      isAsFar: (next, version) => this.isAsFar(name, next, version),
      replace: (next) => this.replace(name, next),
      close: (next) => next.close(),
    });
  }

  private replace<Name extends keyof ReaderByName>(name: Name, next: OpenedReader<ReaderByName[Name]>): void {
    const { served } = this.options;
    const before = openedOf(served, name);
    const closing = served
      .goOver({ ...served.readerSet.opened, [name]: next } as OpenedReaders)
      .then(() => before.close());
    const settled = closing
      .catch((error: unknown) =>
        this.options.logger.warn(
          { err: error, projection: name },
          "Readers of an earlier version could not be closed.",
        ),
      )
      .then(() => void this.closings.delete(settled));
    this.closings.add(settled);
  }

  /**
   * Waits until the new version answers and is where the old one is; false where another one is to be served by then.
   */
  private async isAsFar<Name extends keyof ReaderByName>(
    name: Name,
    next: OpenedReader<ReaderByName[Name]>,
    version: number,
  ): Promise<boolean> {
    const { feed, served } = this.options;
    const { signal } = this.stopping;
    const reader: Checkpointed = next.reader;
    while (!signal.aborted && feed.of(name).live === version) {
      try {
        if (await hasPassed(openedOf(served, name).reader, reader, () => probes[name](next.reader))) return true;
      } catch (error) {
        if (!(error instanceof ReadModelUnavailable)) throw error;
        await delay(retryDelayMs, signal);
      }
    }
    return false;
  }
}

const openedOf = <Name extends keyof ReaderByName>(
  served: ServedQueries,
  name: Name,
): OpenedReader<ReaderByName[Name]> => served.readerSet.opened[name] as OpenedReader<ReaderByName[Name]>;

/** True once the next one answers and is where the other one is, by then too. */
async function hasPassed(served: Checkpointed, next: Checkpointed, probe: () => Promise<unknown>): Promise<boolean> {
  const before = await positionOf(served);
  if (before !== null && !(await next.reached(before, stepMs))) return false;
  await probe();
  const now = await positionOf(served);
  return now === null || now <= (await next.position());
}

/**
 * null where the version that is served cannot answer: then nobody has been told anything that the next one might not
 * know.
 */
async function positionOf(reader: Checkpointed): Promise<Position | null> {
  try {
    return await reader.position();
  } catch (error) {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  }
}

/** Each of them, in turn. */
async function closeAll(opened: readonly OpenedReader<unknown>[]): Promise<void> {
  for (const reader of opened) await reader.close();
}
