import type { TypesenseServer } from "../../../../src/adapters/search/typesense/connection.js";
import { openTypesensePastSearchReader } from "../../../../src/adapters/search/typesense/openTypesenseSearchReader.js";
import { pastSearchContract, type PastSearchUnderTest } from "../../../contracts/pastSearchContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

async function openPastSearch({ url, apiKey }: TypesenseServer): Promise<PastSearchUnderTest> {
  const namespace = newNamespace();
  const under = await openSearchIndex({ url, apiKey }, namespace);
  const past = await openTypesensePastSearchReader({ url, apiKey, namespace });
  const close = async (): Promise<void> => {
    await past.close();
    await under.close();
  };
  return { ...under, past, close };
}

describe("the Typesense search index, asked about the past, on a server that answers as recorded", () => {
  let double: TypesenseDouble;
  before(async () => {
    double = await TypesenseDouble.start();
  });
  after(() => double.stop());

  pastSearchContract(() => openPastSearch(double));
});

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;

describe("the Typesense search index, asked about the past, on the server that TYPESENSE_URL names", () => {
  if (url === undefined || apiKey === undefined) {
    it("is skipped: TYPESENSE_URL and TYPESENSE_API_KEY name no server");
    return;
  }
  pastSearchContract(() => openPastSearch({ url, apiKey }));
});
