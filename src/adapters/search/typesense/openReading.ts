import type { TypesenseConnection } from "./connection.js";
import { Directory } from "./directory.js";
import { openCollections, type CollectionsOptions } from "./openCollections.js";
import type { CollectionNames } from "./schema.js";
import { ServedPosition } from "./servedPosition.js";

export interface ReadingOptions extends CollectionsOptions {
  /** Milliseconds that a request may take. 5,000 where left out. */
  readonly requestTimeoutMs?: number;
}

/** The collections of a namespace, shared by readers. */
interface Reading {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly served: ServedPosition;
  readonly directory: Directory;
  close(): void;
}

/** An export of all access classes may take long: a million of them are some hundred megabytes. */
const exportFactor = 12;

/** Opens the collections of a namespace for reading. Rejects as the readers say. */
export async function openReading(options: ReadingOptions): Promise<Reading> {
  const { requestTimeoutMs = 5_000 } = options;
  const timeFor = (path: string): number =>
    path.endsWith("/export") ? requestTimeoutMs * exportFactor : requestTimeoutMs;
  const { connection, collections } = await openCollections(options, timeFor);
  const { names } = collections;
  const served = new ServedPosition(connection, collections);
  const directory = new Directory(connection, names.state);
  // Read before the first search needs it. Where there is nothing yet, or no answer, that search reads it.
  directory.refresh().catch(() => undefined);
  const close = (): void => {
    served.close();
    connection.close();
  };
  return { connection, names, served, directory, close };
}
