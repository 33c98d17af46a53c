import type { ReadModelDefinition } from "../readModel.js";
import type { GroupClosureChange } from "./changes.js";
import { createGroupClosureWriter } from "./groupClosureWriter.js";
import type { GroupClosureStore } from "./ports.js";
import { groupClosure } from "./project.js";

/** Who belongs to which groups. */
export const groupClosureReadModel: ReadModelDefinition<GroupClosureChange, GroupClosureStore> = {
  name: "groupClosure",
  projection: groupClosure,
  group: "readModels",
  batchesEvents: false,
  createWriter: (store, { tokens }) => createGroupClosureWriter({ store, tokens }),
};
