import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { searchIndexSecrecyContract } from "../../../contracts/searchIndexSecrecyContract.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

describe("the Typesense search index, on a server that answers as recorded", () => {
  let double: TypesenseDouble;
  before(async () => {
    double = await TypesenseDouble.start();
  });
  after(() => double.stop());

  searchIndexContract(() => openSearchIndex(double));
  describe("secrecy", () => searchIndexSecrecyContract(() => openSearchIndex(double), 12));
});

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;

describe("the Typesense search index, on the server that TYPESENSE_URL names", () => {
  if (url === undefined || apiKey === undefined) {
    it("is skipped: TYPESENSE_URL and TYPESENSE_API_KEY name no server");
    return;
  }
  searchIndexContract(() => openSearchIndex({ url, apiKey }));
  describe("secrecy", () => searchIndexSecrecyContract(() => openSearchIndex({ url, apiKey }), 150));
});
