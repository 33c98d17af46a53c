import { isMissing } from "../collections.js";
import { type CollectionNames, vectorFields, vectorsNameOf, vectorsPrefix } from "../schema.js";
import type { TypesenseConnection } from "../connection.js";
import { readVectorsState } from "../stateCollection.js";

/**
 * The collections of vectors of this code's version in one namespace: none, or one for the model that documents are
 * shown to. They are dropped with their version.
 */
export class VectorCollections {
  private known: readonly string[] | null = null;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly namespace: string,
  ) {}

  nameFor(model: string, dimensions: number): string {
    return vectorsNameOf(this.namespace, model, dimensions);
  }

  async has(name: string): Promise<boolean> {
    return (await this.names()).includes(name);
  }

  /** Makes an empty collection for vectors of this model and length, and drops every other, and what it held itself. */
  async make(model: string, dimensions: number): Promise<void> {
    for (const name of await this.names()) await this.connection.dropCollection(name);
    this.known = null;
    const name = this.nameFor(model, dimensions);
    await this.connection.createCollection({ name, fields: [...vectorFields(dimensions)] });
    this.known = [name];
  }

  /** Removes the vectors of these documents, of whatever model; as many as fit into an address. */
  async removeOf(documents: readonly string[]): Promise<void> {
    if (documents.length === 0) return;
    for (const name of await this.names()) {
      try {
        await this.connection.remove(name, `doc:=[${documents.join(",")}]`);
      } catch (error) {
        if (!isMissing(error)) throw error;
        this.known = null;
      }
    }
  }

  /** What is remembered may be wrong. */
  forget(): void {
    this.known = null;
  }

  private async names(): Promise<readonly string[]> {
    const prefix = vectorsPrefix(this.namespace);
    this.known ??= (await this.connection.collectionNames()).filter((name) => name.startsWith(prefix));
    return this.known;
  }
}

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
