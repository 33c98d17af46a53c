import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { Queries } from "../../queries/queries.js";
import type { ComparedReaders } from "../operations/verify/ports.js";
import { Canaries } from "../operations/verify/canaries.js";
import { firstVersion, type ComparisonSummary, type ProjectionName, type ReadModelName } from "../events/projection.js";
import type { ParkedEvent } from "../readModels/parkedEvent.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import { compareCanaries } from "./rebuild/compareCanaries.js";
import { comparedReaders } from "./rebuild/compareVersions.js";
import { currentReaders } from "./currentReaders.js";
import { OpenParts } from "./openParts.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import {
  servedReadModelNames,
  type OpenedReader,
  type OpenedReaders,
  type ReaderByName,
  type ServedReadModelName,
} from "./readerSet.js";
import { createReaderOpener } from "./readerOpener.js";
import type { ReadModelConfig } from "./readModelEngine.js";
import type { SearchConfig } from "./searchEngine.js";
import { ServedQueries } from "./servedQueries.js";
import { LiveReaderSwitch } from "./versionSwitch.js";

/** What the read side needs to know of the settings. */
export interface ReadSideConfig extends ReadModelConfig, SearchConfig {
  readonly productName: string;
  readonly consistencyTimeoutMs: number;
}

/** Queries, and how far the read models behind them have come. */
export interface ReadSide {
  readonly queries: Queries;
  /** What a question about now is compared with, and where texts of today come from. */
  readonly served: Required<ComparedReaders>;
  /** Opens the reader of a version that is not served, to compare it. */
  open(
    name: ServedReadModelName,
    version: number,
  ): Promise<{ readonly readers: ComparedReaders; close(): Promise<void> | void }>;
  /** What a projection could not apply, in the version that is served. */
  parked(name: Exclude<ProjectionName, "permissionHistory">): Promise<readonly ParkedEvent[]>;
  /**
   * Waits until every read model serves this position, `timeoutMs` at most; false where that was not enough. Those that
   * are paused are passed over.
   */
  hasReached(position: Position, timeoutMs: number): Promise<boolean>;
  /** As {@link hasReached}, for the read models of access, catalogue and credentials, which are never far behind. */
  settle(position: Position, timeoutMs: number): Promise<boolean>;
  /** Where each read model is, by its name. */
  positions(): Promise<Readonly<Record<string, Position>>>;
  /**
   * Adds to a comparison what comes of asking the other version the questions that people asked here lately.
   */
  completeComparison(name: ReadModelName, version: number, comparison: ComparisonSummary): Promise<ComparisonSummary>;
  close(): Promise<void>;
}

export interface ReadSideOptions {
  /** Tells how far the log goes. */
  readonly source: EventSource;
  /** Tells which versions are served. */
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  /**
   * A search index that another version of the program has made is emptied, for the projector to rebuild, and this is
   * told; left out: it is read as it is.
   */
  onEmptied?(): void;
}

const quick: readonly ServedReadModelName[] = ["groupClosure", "catalogue", "credentials"];

/**
 * Opens the read models that are served, creating them empty where they are missing, and follows what is served from
 * then on.
 */
export function openReadSide(
  config: ReadSideConfig,
  { source, feed, logger, onEmptied }: ReadSideOptions,
): Promise<ReadSide> {
  return OpenParts.orRelease(async (parts) => {
    const open = createReaderOpener(config, source, onEmptied);
    const opening = new OpenParts();
    const opened = await openServed(feed, open, opening).catch(async (error: unknown) => {
      await opening.release();
      throw error;
    });
    const served = new ServedQueries(opened, config);
    parts.add(new LiveReaderSwitch({ feed, served, open, logger }), (part) => part.close());
    const waiting = (names: readonly ServedReadModelName[]) => (position: Position, timeoutMs: number) =>
      hasReached(
        served,
        names.filter((name) => !feed.of(name).paused),
        position,
        timeoutMs,
      );
    const canaries = new Canaries();
    const readers = currentReaders(served);
    return {
      queries: canaries.watch(served.queries),
      completeComparison: async (name, version, comparison) =>
        name === "permissionHistory"
          ? comparison
          : compareCanaries(name, version, comparison, { canaries, served, open, source, settings: config }),
      served: { ...readers, access: readers.groupClosure },
      open: async (name, version) => {
        const { reader, close } = await open(name, version);
        return { readers: comparedReaders(name, reader), close };
      },
      parked: (name) => served.within(({ opened: current }) => parkedOf(name, current, open)),
      hasReached: waiting(servedReadModelNames),
      settle: waiting(quick),
      positions: () => served.within(({ opened: current }) => positionsOf(current)),
      close: () => parts.release(),
    };
  });
}

async function openServed(
  feed: ProjectionFeed,
  open: ReturnType<typeof createReaderOpener>,
  parts: OpenParts,
): Promise<OpenedReaders> {
  const openOne = async <Name extends keyof ReaderByName>(name: Name): Promise<OpenedReader<ReaderByName[Name]>> =>
    parts.add(await open(name, feed.of(name).live), (part) => part.close());
  return {
    groupClosure: await openOne("groupClosure"),
    catalogue: await openOne("catalogue"),
    credentials: await openOne("credentials"),
    search: await openOne("search"),
  };
}

/** A reaction remembers in the place of the first versions. */
async function parkedOf(
  name: ServedReadModelName | "contentErasure",
  opened: OpenedReaders,
  open: ReturnType<typeof createReaderOpener>,
): Promise<readonly ParkedEvent[]> {
  if (name !== "contentErasure") return opened[name].parked.list(name);
  const first = await open("catalogue", firstVersion);
  try {
    return await first.parked.list(name);
  } finally {
    await first.close();
  }
}

async function positionsOf(opened: OpenedReaders): Promise<Readonly<Record<string, Position>>> {
  const positions = Object.entries(opened).map(
    async ([name, { reader }]) => [name, await (reader as Checkpointed).position()] as const,
  );
  return Object.fromEntries(await Promise.all(positions));
}

/** Goes on waiting with the version that takes over meanwhile. */
async function hasReached(
  served: ServedQueries,
  names: readonly ServedReadModelName[],
  position: Position,
  timeoutMs: number,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.max(0, end - performance.now());
    const [reached, superseded] = await served.within(async (readerSet) => {
      const readers = readerSet.readers();
      return [
        await allReached(
          names.map((name) => readers[name]),
          position,
          left,
        ),
        readerSet.superseded,
      ] as const;
    });
    if (reached || !superseded) return reached;
  }
}

/** A reader whose engine is away has reached nothing; it is not asked again before the time is over. */
async function allReached(readers: readonly Checkpointed[], position: Position, timeoutMs: number): Promise<boolean> {
  try {
    return (await Promise.all(readers.map((reader) => reader.reached(position, timeoutMs)))).every(Boolean);
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    await delay(timeoutMs);
    return false;
  }
}
