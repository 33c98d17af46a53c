import type { ReadModelDefinition } from "../readModel.js";
import { createCatalogueWriter } from "./catalogueWriter.js";
import type { CatalogueChange } from "./changes.js";
import type { CatalogueStore } from "./ports.js";
import { catalogue } from "./project.js";

/** Datasources with their subs and property definitions. */
export const catalogueReadModel: ReadModelDefinition<CatalogueChange, CatalogueStore> = {
  name: "catalogue",
  projection: catalogue,
  group: "readModels",
  batchesEvents: false,
  createWriter: (store) => createCatalogueWriter(store),
};
