import { dropSearchCollections } from "../../../../src/adapters/search/typesense/dropSearchCollections.js";
import {
  searchIndexEarlierVectorsContract,
  type VersionsUnderTest,
} from "../../../contracts/searchIndexEarlierVectorsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex, patientEmbedding } from "./openSearchIndex.js";

describe("vectors of an earlier version of the Typesense search index", () => {
  const open = async (): Promise<VersionsUnderTest> => {
    const double = await TypesenseDouble.start();
    const tenant = newNamespace();
    return {
      openEarlier: (embedder) => openSearchIndex(double, tenant, patientEmbedding(embedder)),
      open: (embedder) =>
        openSearchIndex(double, `${tenant}.search-2`, { ...patientEmbedding(embedder), earlierNamespace: tenant }),
      damageEarlier: () => dropSearchCollections(double, tenant),
      close: () => double.stop(),
    };
  };
  searchIndexEarlierVectorsContract(open, ["is gone"]);
});
