import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleDatasource } from "./handleDatasource.js";

interface RemoveSub {
  readonly datasource: DatasourceName;
  readonly key: string;
  /** Says which child is meant where a key stands under several parents; null: not given. */
  readonly parentKey: string | null;
}

/** Removes a sub and its children; documents stay (spec: DELETE /datasources/{name}/subs/{sub_key}). */
export function removeSub(
  { handler }: CommandServices,
  { datasource, key, parentKey }: RemoveSub,
  context: CommandContext,
): CommandResult<null> {
  return handleDatasource(handler, context, {
    name: datasource,
    command: { type: "RemoveSub", datasource, key, parentKey },
    answer: () => null,
  });
}
