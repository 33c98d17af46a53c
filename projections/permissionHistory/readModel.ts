import type { ReadModelDefinition } from "../readModel.js";
import type { PermissionHistoryChange } from "./changes.js";
import { createPermissionHistoryWriter } from "./permissionHistoryWriter.js";
import type { PermissionHistoryStore } from "./ports.js";
import { permissionHistory } from "./project.js";

/** While a version is built so many batches are held back for one transaction: a few seconds' work. */
const batchesHeldBack = 50;

/** Who could see what, and since when. Only auditors wait for it, so it has a thread of its own. */
export const permissionHistoryReadModel: ReadModelDefinition<PermissionHistoryChange, PermissionHistoryStore> = {
  name: "permissionHistory",
  projection: permissionHistory,
  group: "permissionHistory",
  batchesEvents: true,
  createWriter: (store, { buildingBatch }) =>
    buildingBatch === null
      ? createPermissionHistoryWriter(store)
      : createPermissionHistoryWriter(store, buildingBatch * batchesHeldBack),
};
