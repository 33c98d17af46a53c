import type { TypesenseConnection } from "../connection.js";
import type { CollectionNames } from "../schema.js";
import { readVectorsState } from "../stateCollection.js";

/** The most that is counted, as the port has it for every engine. */
const mostCounted = 100_000;

/** How many documents carry no mark of vectors of this model. */
export async function countWithoutVectors(
  connection: TypesenseConnection,
  { documents: collection, state }: CollectionNames,
  model: string,
): Promise<number> {
  const vectors = await readVectorsState(connection, state);
  const unmarked = vectors?.model === model ? { filter_by: `vec:!=${vectors.mark}` } : {};
  const [answer] = await connection.search([{ collection, q: "*", ...unmarked, per_page: 0 }]);
  return Math.min(mostCounted, answer?.found ?? 0);
}
