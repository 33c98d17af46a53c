import type { ParkedEvents } from "../../../../projections/ports.js";
import type { SearchReader } from "../../../../queries/ports.js";
import { Collections } from "./collections.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { FullTextSearch } from "./fullTextSearch.js";
import { openWithin } from "./openWithin.js";
import { PointReads } from "./pointReads.js";
import { Directory } from "./directory.js";
import { answering, ServedPosition } from "./servedPosition.js";
import { readParked } from "./stateCollection.js";

export interface TypesenseSearchReaderOptions extends TypesenseServer {
  readonly namespace: string;
  /** Milliseconds that a request may take. 5,000 where left out. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that opening may take. 10,000 where left out. */
  readonly openTimeoutMs?: number;
}

/** An export of all access classes may be long: a million of them are some hundred megabytes. */
const exportFactor = 12;

/** A reader with what the engine says of its own effort. */
export interface TypesenseSearchReader extends SearchReader {
  readonly parked: ParkedEvents;
  /** Milliseconds that the engine says it took for all searches so far. */
  engineMs(): number;
  close(): Promise<void>;
}

/**
 * Opens the search collections of a namespace for reading; they may still be missing. Rejects, within the time allowed,
 * with a sentence where the server cannot be reached, refuses the key, or holds something else by that name.
 */
export async function openTypesenseSearchReader(options: TypesenseSearchReaderOptions): Promise<TypesenseSearchReader> {
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
  return readerOn(connection, collections);
}

function readerOn(connection: TypesenseConnection, collections: Collections): TypesenseSearchReader {
  const { names } = collections;
  const served = new ServedPosition(connection, collections);
  const directory = new Directory(connection, names.state);
  // Read before the first search needs it. Where there is nothing yet, or no answer, that search reads it.
  directory.refresh().catch(() => undefined);
  const fullText = new FullTextSearch(connection, names, directory, served);
  const pointReads = new PointReads(connection, names.texts, directory, served);
  return {
    search: (request) => answering(() => fullText.search(request)),
    find: (datasource, documentId) => answering(() => pointReads.find(datasource, documentId)),
    text: (datasource, documentId) => answering(() => pointReads.text(datasource, documentId)),
    position: () => answering(() => served.position()),
    reached: (position, timeoutMs) => served.reached(position, timeoutMs),
    parked: { list: () => answering(() => readParked(connection, names.state)) },
    engineMs: () => connection.engineMs,
    close: async () => {
      served.close();
      connection.close();
    },
  };
}
