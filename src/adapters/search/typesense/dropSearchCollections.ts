import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { aliasName, versionOf } from "./schema.js";

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
