import { Collections } from "./collections.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { Directory } from "./directory.js";
import { openWithin } from "./openWithin.js";
import type { CollectionNames } from "./schema.js";
import { ServedPosition } from "./servedPosition.js";

export interface ReadingOptions extends TypesenseServer {
  readonly namespace: string;
  /** Milliseconds that a request may take. 5,000 where left out. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that opening may take. 10,000 where left out. */
  readonly openTimeoutMs?: number;
}

/** The collections of a namespace, as readers share them. */
export interface Reading {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly served: ServedPosition;
  readonly directory: Directory;
  close(): void;
}

/** An export of all access classes may be long: a million of them are some hundred megabytes. */
const exportFactor = 12;

/** Opens the collections of a namespace for reading. Rejects as the readers say. */
export async function openReading(options: ReadingOptions): Promise<Reading> {
  const { namespace, requestTimeoutMs = 5_000, openTimeoutMs = 10_000 } = options;
  const openUntil = performance.now() + openTimeoutMs;
  let isOpen = false;
  const connection = new TypesenseConnection(options, (path) => {
    if (!isOpen) return Math.max(1, openUntil - performance.now());
    return path.endsWith("/export") ? requestTimeoutMs * exportFactor : requestTimeoutMs;
  });
  const collections = new Collections(connection, namespace);
  try {
    await openWithin(openUntil, () => collections.assertOurs());
  } catch (error) {
    connection.close();
    throw error;
  }
  isOpen = true;
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
