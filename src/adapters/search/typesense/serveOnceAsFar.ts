import { toPosition, type Position } from "../../../shared/position.js";
import { isMissing, type Collections } from "./collections.js";
import type { TypesenseConnection } from "./connection.js";
import { namesOf, schemaVersion } from "./schema.js";
import { checkpointSearch, positionOf, readCheckpoint } from "./stateCollection.js";

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
