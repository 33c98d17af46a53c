import { Collections } from "./collections.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { retryOpening } from "./retryOpening.js";

export interface CollectionsOptions extends TypesenseServer {
  readonly namespace: string;
  /** Milliseconds that opening may take. 10,000 where left out. */
  readonly openTimeoutMs?: number;
}

interface OpenedCollections {
  readonly connection: TypesenseConnection;
  readonly collections: Collections;
}

/**
 * Connects to the collections of a namespace. Once they are open, `timeFor` says how many milliseconds a request to a
 * path may take. Rejects, within the time for opening, where the server cannot be reached, refuses the key, or holds
 * something else by that name.
 */
export async function openCollections(
  options: CollectionsOptions,
  timeFor: (path: string) => number,
): Promise<OpenedCollections> {
  const { namespace, openTimeoutMs = 10_000 } = options;
  const openUntil = performance.now() + openTimeoutMs;
  let isOpen = false;
  const connection = new TypesenseConnection(options, (path) =>
    isOpen ? timeFor(path) : Math.max(1, openUntil - performance.now()),
  );
  const collections = new Collections(connection, namespace);
  try {
    await retryOpening(openUntil, () => collections.assertOurs());
  } catch (error) {
    connection.close();
    throw error;
  }
  isOpen = true;
  return { connection, collections };
}
