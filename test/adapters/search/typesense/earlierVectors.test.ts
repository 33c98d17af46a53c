import type { TypesenseServer } from "../../../../src/adapters/search/typesense/connection.js";
import { dropSearchCollections } from "../../../../src/adapters/search/typesense/collections.js";
import {
  searchIndexEarlierVectorsContract,
  type VersionsUnderTest,
} from "../../../contracts/searchIndexEarlierVectorsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex, patientEmbedding } from "./openSearchIndex.js";

const versionsOn = async (server: TypesenseServer): Promise<VersionsUnderTest> => {
  const tenant = newNamespace();
  return {
    openEarlier: (embedder) => openSearchIndex(server, tenant, patientEmbedding(embedder)),
    open: (embedder) =>
      openSearchIndex(server, `${tenant}.search-2`, { ...patientEmbedding(embedder), earlierNamespace: tenant }),
    damageEarlier: () => dropSearchCollections(server, tenant),
    // Each index drops its collections when it is closed.
    close: async () => undefined,
  };
};

describe("vectors of an earlier version of the Typesense search index", () => {
  let double: TypesenseDouble;
  before(async () => {
    double = await TypesenseDouble.start();
  });
  after(() => double.stop());

  searchIndexEarlierVectorsContract(() => versionsOn(double), ["is gone"]);
});

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;

describe("vectors of an earlier version, on the server that TYPESENSE_URL names", () => {
  if (url === undefined || apiKey === undefined) {
    it("is skipped: TYPESENSE_URL and TYPESENSE_API_KEY name no server");
    return;
  }
  searchIndexEarlierVectorsContract(() => versionsOn({ url, apiKey }), ["is gone"]);
});
