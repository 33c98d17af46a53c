import type { ReadModelDefinition } from "../readModel.js";
import type { ContentErasureChange } from "./changes.js";
import { createContentErasureWriter } from "./contentErasureWriter.js";
import type { ErasureStore } from "./ports.js";
import { contentErasure } from "./project.js";

/** A reaction: erases texts that nothing refers to any more, once. */
export const contentErasureReaction: ReadModelDefinition<ContentErasureChange, ErasureStore> = {
  name: "contentErasure",
  projection: contentErasure,
  group: "readModels",
  batchesEvents: true,
  createWriter: (store, { contents }) => createContentErasureWriter(store, contents),
};
