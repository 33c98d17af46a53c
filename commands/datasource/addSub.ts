import type { ChildSub } from "../../src/events/datasource.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { DatasourceOutcome } from "./handleDatasource.js";
import { handleDatasource } from "./handleDatasource.js";
import type { SubDeclaration } from "./subTree.js";

interface AddSub {
  readonly datasource: DatasourceName;
  readonly sub: SubDeclaration;
}

interface AddedSub {
  readonly name: string;
  readonly key: string;
  readonly parentKey: string | null;
  /** Those that were declared nested in it. */
  readonly subs: readonly ChildSub[];
}

/** Adds a sub, with those nested in it (spec: POST /datasources/{name}/subs). */
export function addSub(
  { handler }: CommandServices,
  { datasource, sub }: AddSub,
  context: CommandContext,
): CommandResult<AddedSub> {
  return handleDatasource(handler, context, {
    name: datasource,
    command: { type: "AddSub", datasource, sub },
    answer: addedSub,
  });
}

function addedSub({ events }: DatasourceOutcome): AddedSub {
  const added = events.find((event) => event.type === "SubAdded");
  if (added === undefined) throw new Error("Adding a sub led to no SubAdded event.");
  const { name, key, parentKey, subs } = added.data;
  return { name, key, parentKey, subs };
}
