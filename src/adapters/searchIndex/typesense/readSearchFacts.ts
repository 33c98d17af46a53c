import { beginning, type Position } from "../../../shared/position.js";
import { isMissing } from "./collections.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { namesOf } from "./schema.js";
import { checkpointSearch, positionOf, readCheckpoint } from "./stateCollection.js";

const requestTimeoutMs = 5_000;

/** How far the search collections of a namespace have come, and how many events are parked there; nothing where there are none. */
export async function readSearchFacts(server: TypesenseServer, namespace: string): Promise<{ readonly position: Position; readonly parked: number }> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  const { state } = namesOf(namespace);
  try {
    const [checkpoint, parked] = await connection.search([checkpointSearch(state), { collection: state, q: "*", filter_by: "kind:=parked", per_page: 0 }]);
    return { position: positionOf(readCheckpoint(checkpoint)), parked: parked?.found ?? 0 };
  } catch (error) {
    if (isMissing(error)) return { position: beginning, parked: 0 };
    throw error;
  } finally {
    connection.close();
  }
}
