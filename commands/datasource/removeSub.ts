import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

/** Removes a sub and its children; documents stay (spec: DELETE /datasources/{name}/subs/{sub_key}). */
export const createRemoveSub =
  ({ handler }: CommandServices): Commands["removeSub"] =>
  ({ datasource, key, parentKey }, context) =>
    handleDatasource(handler, context, {
      name: datasource,
      command: { type: "RemoveSub", datasource, key, parentKey },
      answer: () => null,
    });
