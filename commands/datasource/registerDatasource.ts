import type { Datasource } from "../../src/events/datasource.js";
import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

/**
 * Registers a datasource with its subs and property schemas; a name that was deleted begins a new incarnation (spec:
 * POST /datasources).
 */
export const createRegisterDatasource =
  ({ handler, minting }: CommandServices): Commands["registerDatasource"] =>
  (declaration, context) =>
    handleDatasource(handler, context, {
      name: declaration.name,
      command: { type: "RegisterDatasource", datasourceId: minting.datasourceId(), declaration },
      answer: ({ datasource }) => datasource as Datasource,
    });
