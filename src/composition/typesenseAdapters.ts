/** Everything that speaks to Typesense. Imported where TYPESENSE_URL names one, and nowhere else: its client makes every start longer. */
export { dropSearchCollections } from "../adapters/searchIndex/typesense/dropSearchCollections.js";
export { openTypesensePastSearchReader } from "../adapters/searchIndex/typesense/openTypesensePastSearchReader.js";
export { openTypesenseSearchIndexWriter } from "../adapters/searchIndex/typesense/openTypesenseSearchIndexWriter.js";
export { openTypesenseSearchReader } from "../adapters/searchIndex/typesense/openTypesenseSearchReader.js";
export { readSearchFacts } from "../adapters/searchIndex/typesense/readSearchFacts.js";
