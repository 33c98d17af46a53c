import type { Checkpoint } from "../../../events/eventSource.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import { isMissing } from "./collections.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { namesOf } from "./schema.js";
import { checkpointSearch, positionOf, readCheckpoint } from "./stateCollection.js";

const requestTimeoutMs = 5_000;

/** What Typesense holds of the search read model. It does not tell how much memory or disk a collection takes. */
interface SearchFacts {
  readonly position: Position;
  readonly parked: number;
  readonly documents: number;
}

/**
 * How far the search collections of a namespace have come, and how many events are parked there; nothing where there
 * are none.
 */
export async function readSearchFacts(server: TypesenseServer, namespace: string): Promise<SearchFacts> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  const { state, documents } = namesOf(namespace);
  try {
    const [checkpoint, parked, all] = await connection.search([
      checkpointSearch(state),
      { collection: state, q: "*", filter_by: "kind:=parked", per_page: 0 },
      // It finds nothing, so it costs nothing, and the number of documents comes with it.
      { collection: documents, q: "*", filter_by: "id:=none", per_page: 0 },
    ]);
    return {
      position: positionOf(readCheckpoint(checkpoint)),
      parked: parked?.found ?? 0,
      documents: all?.out_of ?? 0,
    };
  } catch (error) {
    if (isMissing(error)) return { position: beginning, parked: 0, documents: 0 };
    throw error;
  } finally {
    connection.close();
  }
}

/** How far they have come, alone; the beginning where there are none. */
export async function readSearchCheckpoint(server: TypesenseServer, namespace: string): Promise<Checkpoint> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  try {
    const [found] = await connection.search([checkpointSearch(namesOf(namespace).state)]);
    const { landmark, ...state } = readCheckpoint(found);
    return {
      position: positionOf(state),
      landmark: landmark === undefined ? null : { position: toPosition(BigInt(landmark.position)), id: landmark.id },
    };
  } catch (error) {
    if (isMissing(error)) return { position: beginning, landmark: null };
    throw error;
  } finally {
    connection.close();
  }
}
