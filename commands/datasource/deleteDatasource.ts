import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

/** Closes the datasource's incarnation for good (spec: DELETE /datasources/{name}). */
export const createDeleteDatasource =
  ({ handler }: CommandServices): Commands["deleteDatasource"] =>
  ({ name }, context) =>
    handleDatasource(handler, context, { name, command: { type: "DeleteDatasource", name }, answer: () => null });
