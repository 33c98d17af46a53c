import type { ReadModelDefinition } from "../readModel.js";
import type { GroupClosureChange, GroupClosureStore } from "./ports.js";
import { createGroupClosureWriter } from "./groupClosureWriter.js";
import { groupClosure } from "./project.js";

/** The groups that people belong to. */
export const groupClosureReadModel: ReadModelDefinition<GroupClosureChange, GroupClosureStore> = {
  name: "groupClosure",
  projection: groupClosure,
  group: "readModels",
  batchesEvents: false,
  createWriter: (store, { tokens }) => createGroupClosureWriter({ store, tokens }),
};
