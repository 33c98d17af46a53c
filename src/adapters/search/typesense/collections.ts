import { TypesenseConnection, TypesenseFailure, type TypesenseServer } from "./connection.js";
import {
  aliasName,
  collectionFields,
  type CollectionNames,
  collectionParts,
  namesOf,
  schemaVersion,
  vectorsPrefix,
  versionOf,
} from "./schema.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { checkpointSearch, positionOf, readCheckpoint } from "./stateCollection.js";

/**
 * The versions of the search read model in one namespace: they are created beside each other, and one of them is
 * served.
 */
export class Collections {
  /** Where this code writes. */
  readonly names: CollectionNames;

  constructor(
    private readonly connection: TypesenseConnection,
    readonly namespace: string,
  ) {
    this.names = namesOf(namespace);
  }

  /** Rejects where the alias of this namespace names something that is not a search read model of ours. */
  async assertOurs(): Promise<void> {
    const target = await this.connection.aliasTarget(aliasName(this.namespace));
    if (target === null || versionOf(this.namespace, target) !== null) return;
    throw new Error(
      `The alias ${aliasName(this.namespace)} in Typesense names the collection ${target}, which is not a search collection of this product. Choose another namespace, or remove the alias.`,
    );
  }

  /**
   * Makes the collections of this code's version. If one of them was lost, all are made anew, for none is whole without
   * the others.
   */
  async create(): Promise<void> {
    const present = new Set(await this.connection.collectionNames());
    const missing = collectionParts.filter((part) => !present.has(this.names[part]));
    if (missing.length === 0) return;
    for (const name of present)
      if (name.startsWith(vectorsPrefix(this.namespace))) await this.connection.dropCollection(name);
    for (const part of collectionParts) {
      if (!missing.includes(part)) await this.connection.dropCollection(this.names[part]);
      await this.connection.createCollection({ name: this.names[part], fields: [...collectionFields[part]] });
    }
  }

  /** The version that is served; null where none is. */
  async servedVersion(): Promise<string | null> {
    const target = await this.connection.aliasTarget(aliasName(this.namespace));
    return target === null ? null : versionOf(this.namespace, target);
  }

  /** Serves this code's version, and drops every other: what is erased from now on would stay in them. */
  async serveOurs(): Promise<void> {
    await this.connection.pointAlias(aliasName(this.namespace), this.names.documents);
    for (const name of await this.connection.collectionNames()) {
      const version = versionOf(this.namespace, name);
      if (version !== null && version !== schemaVersion) await this.connection.dropCollection(name);
    }
  }
}

/** True where a collection is not there, or no longer. */
export const isMissing = (error: unknown): boolean => error instanceof TypesenseFailure && error.status === 404;

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

const retryDelayMs = 250;

/**
 * Tries to open until `end`, on the clock of `performance.now()`. A refused key, and whatever else waiting does not
 * mend, ends it at once.
 */
async function retryOpening<Opened>(end: number, open: () => Promise<Opened>): Promise<Opened> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const mayPass = error instanceof TypesenseFailure && (error.status === null || error.status >= 500);
      if (!mayPass || performance.now() + retryDelayMs >= end)
        throw error instanceof TypesenseFailure ? new Error(error.message) : error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** Serves this code's version in place of another one, once it has come as far; tells whether it is served. */
export async function serveOnceAsFar(
  connection: TypesenseConnection,
  collections: Collections,
  position: Position,
): Promise<boolean> {
  const served = await collections.servedVersion();
  if (served === schemaVersion) return true;
  const { namespace } = collections;
  if (served !== null && (await positionOfVersion(connection, namespace, served)) > position) return false;
  await collections.serveOurs();
  return true;
}

async function positionOfVersion(
  connection: TypesenseConnection,
  namespace: string,
  version: string,
): Promise<Position> {
  try {
    const [answer] = await connection.search([checkpointSearch(namesOf(namespace, version).state)]);
    return positionOf(readCheckpoint(answer));
  } catch (error) {
    if (isMissing(error)) return toPosition(0);
    throw error;
  }
}

const requestTimeoutMs = 60_000;

/**
 * Removes every version of a namespace's search collections, and the alias. Readers and writers that come later find
 * them lost.
 */
export async function dropSearchCollections(server: TypesenseServer, namespace: string): Promise<void> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  try {
    await connection.dropAlias(aliasName(namespace));
    for (const name of await connection.collectionNames())
      if (versionOf(namespace, name) !== null) await connection.dropCollection(name);
  } finally {
    connection.close();
  }
}
