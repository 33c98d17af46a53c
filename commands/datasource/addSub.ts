import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import type { DatasourceOutcome } from "./handleDatasource.js";
import { handleDatasource } from "./handleDatasource.js";

/** Adds a sub, with those nested in it (spec: POST /datasources/{name}/subs). */
export const createAddSub =
  ({ handler }: CommandServices): Commands["addSub"] =>
  ({ datasource, sub }, context) =>
    handleDatasource(handler, context, {
      name: datasource,
      command: { type: "AddSub", datasource, sub },
      answer: addedSub,
    });

function addedSub({ events }: DatasourceOutcome): { name: string; key: string; parentKey: string | null } {
  const [first] = events;
  if (first?.type !== "SubAdded") throw new Error("Adding a sub led to no SubAdded event.");
  const { name, key, parentKey } = first.data;
  return { name, key, parentKey };
}
