import type { Embedder } from "../../../../projections/search/ports.js";
import { analyse } from "../../../../projections/search/prepareDocuments.js";
import type { TypesenseServer } from "../../../../src/adapters/search/typesense/connection.js";
import { dropSearchCollections } from "../../../../src/adapters/search/typesense/collections.js";
import {
  openTypesenseSearchIndexWriter,
  type TypesenseSearchIndexWriterOptions,
} from "../../../../src/adapters/search/typesense/openTypesenseSearchIndexWriter.js";
import { openTypesenseSearchReader } from "../../../../src/adapters/search/typesense/openTypesenseSearchReader.js";
import type { SearchIndexUnderTest } from "../../../contracts/searchIndexScenario.js";
import { newNamespace } from "../../../support/newNamespace.js";

/** For tests of something else than a server that is late: a machine with much to do is no reason to fail. */
const patience = { openTimeoutMs: 60_000, requestTimeoutMs: 60_000 };

/** A model that may be down, and is asked again at once. */
export const patientEmbedding = (embedder: Embedder): Partial<TypesenseSearchIndexWriterOptions> => ({
  ...{ embedder, embedderPauseMs: 1, onEmbedderFailure: () => undefined },
});

/** A writer and a reader in a namespace. A failing step of pending work fails the test that is running. */
export async function openSearchIndex(
  server: TypesenseServer,
  namespace: string = newNamespace(),
  options: Partial<TypesenseSearchIndexWriterOptions> = {},
): Promise<SearchIndexUnderTest> {
  const { url, apiKey } = server;
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const place = { url, apiKey, namespace, ...patience };
  const index = await openTypesenseSearchIndexWriter({ ...place, analyse, onFailure, ...options });
  // What the projection does first.
  await index.checkpoint();
  const reader = await openTypesenseSearchReader(place);
  const stop = async (): Promise<void> => {
    await index.close();
    await reader.close();
  };
  return {
    index,
    reader,
    async reopen() {
      await stop();
      return openSearchIndex(server, namespace, options);
    },
    async close() {
      await stop();
      await dropSearchCollections({ url, apiKey }, namespace);
    },
  };
}
