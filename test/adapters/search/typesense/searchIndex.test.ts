import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { searchIndexMeaningContract } from "../../../contracts/searchIndexMeaningContract.js";
import { searchIndexMeaningSecrecyContract } from "../../../contracts/searchIndexMeaningSecrecyContract.js";
import { searchIndexSecrecyContract } from "../../../contracts/searchIndexSecrecyContract.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openSearchIndex, patientEmbedding } from "./openSearchIndex.js";

describe("the Typesense search index, on a server that answers as recorded", () => {
  let double: TypesenseDouble;
  before(async () => {
    double = await TypesenseDouble.start();
  });
  after(() => double.stop());

  searchIndexContract(() => openSearchIndex(double));
  describe("meaning", () =>
    searchIndexMeaningContract((embedder) => openSearchIndex(double, newNamespace(), patientEmbedding(embedder))));
  describe("secrecy", () => searchIndexSecrecyContract(() => openSearchIndex(double), 12));
  describe("secrecy of meaning", () =>
    searchIndexMeaningSecrecyContract(
      (embedder) => openSearchIndex(double, newNamespace(), patientEmbedding(embedder)),
      12,
    ));
});

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;

describe("the Typesense search index, on the server that TYPESENSE_URL names", () => {
  if (url === undefined || apiKey === undefined) {
    it("is skipped: TYPESENSE_URL and TYPESENSE_API_KEY name no server");
    return;
  }
  searchIndexContract(() => openSearchIndex({ url, apiKey }));
  describe("meaning", () =>
    searchIndexMeaningContract((embedder) =>
      openSearchIndex({ url, apiKey }, newNamespace(), patientEmbedding(embedder)),
    ));
  describe("secrecy", () => searchIndexSecrecyContract(() => openSearchIndex({ url, apiKey }), 150));
  describe("secrecy of meaning", () =>
    searchIndexMeaningSecrecyContract(
      (embedder) => openSearchIndex({ url, apiKey }, newNamespace(), patientEmbedding(embedder)),
      20,
    ));
});
