import type { Datasource } from "../../src/events/datasource.js";
import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

/** Changes label, icon or property schemas; what is not given stays (spec: PUT /datasources/{name}). */
export const createUpdateDatasource =
  ({ handler }: CommandServices): Commands["updateDatasource"] =>
  (update, context) =>
    handleDatasource(handler, context, {
      name: update.name,
      command: { type: "UpdateDatasource", update },
      answer: ({ datasource }) => datasource as Datasource,
    });
