import { groupGraphStream } from "../../src/events/streams.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { untilDeleted } from "../untilDeleted.js";
import { decide, groupGraphAggregate } from "./decider.js";

interface DeleteGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
}

/** Deletes a group with its memberships: documents that name it grant nobody by it any more. */
export async function deleteGroup(
  { handler }: CommandServices,
  { datasource, name }: DeleteGroup,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  return untilDeleted(handler, {
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(datasourceId),
    context,
    decision: (graph) => decide({ type: "DeleteGroup", datasourceId, datasource, name }, graph),
    last: "GroupDeleted",
  });
}
