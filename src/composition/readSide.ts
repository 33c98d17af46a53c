import { setTimeout as delay } from "node:timers/promises";
import type { EventSource } from "../../projections/ports.js";
import { createQueries } from "../../queries/createQueries.js";
import type { ServedReaders } from "../../queries/audit/access/findUnserved.js";
import type { Projected } from "../../queries/ports.js";
import type { Queries } from "../../queries/queries.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import { OpenParts } from "./openParts.js";
import { openReadModelReaders, type ReadModelConfig } from "./readModelEngine.js";
import { openSearchReader, type SearchConfig } from "./searchEngine.js";

/** What the read side needs to know of the settings. */
export interface ReadSideConfig extends ReadModelConfig, SearchConfig {
  readonly productName: string;
  readonly consistencyTimeoutMs: number;
}

/** Queries, and how far the read models behind them have come. */
export interface ReadSide {
  readonly queries: Queries;
  /** What a question about now is compared with. */
  readonly served: ServedReaders;
  /** Waits until every read model serves this position, `timeoutMs` at most; false where that was not enough. */
  hasReached(position: Position, timeoutMs: number): Promise<boolean>;
  /** As {@link hasReached}, for the read models of access, catalogue and credentials, which are never far behind. */
  settle(position: Position, timeoutMs: number): Promise<boolean>;
  /** Where each read model is, by its name. */
  positions(): Promise<Readonly<Record<string, Position>>>;
  close(): Promise<void>;
}

/**
 * Opens the read models, creating them empty where they are missing. `source` tells how far the log goes. A search index
 * that another version of the program has made is emptied, for the projector to rebuild, and `onEmptied` is told; left
 * out: it is read as it is.
 */
export function openReadSide(config: ReadSideConfig, source: EventSource, onEmptied?: () => void): Promise<ReadSide> {
  return OpenParts.orRelease(async (parts) => {
    const models = parts.add(await openReadModelReaders(config, source), (part) => part.close());
    const search = parts.add(await openSearchReader(config, onEmptied), (part) => part.close());
    const { access, catalogue, credentials } = models;
    const { productName, consistencyTimeoutMs } = config;
    const quick: readonly Projected[] = [access, catalogue, credentials];
    return {
      queries: createQueries({ search, access, catalogue, credentials, productName, consistencyTimeoutMs }),
      served: { search, access, catalogue },
      hasReached: (position, timeoutMs) => allReached([...quick, search], position, timeoutMs),
      settle: (position, timeoutMs) => allReached(quick, position, timeoutMs),
      positions: async () => {
        const readers = Object.entries({ access, catalogue, credentials, search });
        return Object.fromEntries(await Promise.all(readers.map(async ([name, reader]) => [name, await reader.position()] as const)));
      },
      close: () => parts.release(),
    };
  });
}

/** A reader whose engine is away has reached nothing; it is not asked again before the time is over. */
async function allReached(readers: readonly Projected[], position: Position, timeoutMs: number): Promise<boolean> {
  try {
    return (await Promise.all(readers.map((reader) => reader.reached(position, timeoutMs)))).every(Boolean);
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    await delay(timeoutMs);
    return false;
  }
}
