import type { ProjectionWriter } from "../ports.js";
import type { ReadModelDefinition } from "../readModel.js";
import type { CredentialChange } from "./changes.js";
import { credentials } from "./project.js";

/** Service accounts and personal keys. Their changes are rows already: the engine's store is the writer. */
export const credentialsReadModel: ReadModelDefinition<CredentialChange, ProjectionWriter<CredentialChange>> = {
  name: "credentials",
  projection: credentials,
  group: "readModels",
  batchesEvents: false,
  createWriter: (store) => store,
};
