/**
 * Everything that speaks to Typesense. Imported where TYPESENSE_URL names one, and nowhere else: its client makes every
 * start longer.
 */
export { dropSearchCollections } from "../adapters/search/typesense/dropSearchCollections.js";
export { openTypesensePastSearchReader } from "../adapters/search/typesense/openTypesensePastSearchReader.js";
export { openTypesenseSearchIndexWriter } from "../adapters/search/typesense/openTypesenseSearchIndexWriter.js";
export { openTypesenseSearchReader } from "../adapters/search/typesense/openTypesenseSearchReader.js";
export { readSearchFacts } from "../adapters/search/typesense/readSearchFacts.js";
