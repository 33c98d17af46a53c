import type { ReadModelDefinition } from "../readModel.js";
import type { SearchChange } from "./changes.js";
import type { SearchIndexWriter } from "./ports.js";
import { searchProjection } from "./project.js";
import { createSearchWriter } from "./searchWriter.js";

/** Documents with their access classes and terms: a thread of its own, for a batch of it takes longest. */
export const searchReadModel: ReadModelDefinition<SearchChange, SearchIndexWriter> = {
  name: "search",
  projection: searchProjection,
  group: "search",
  batchesEvents: true,
  createWriter: (index, { contents, tokens }) => createSearchWriter({ index, contents, tokens }),
};
