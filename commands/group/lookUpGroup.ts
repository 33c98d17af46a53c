import { groupGraphStream } from "../../src/events/streams.js";
import type { DatasourceId, DatasourceName, GroupId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandHandler } from "../handleCommand.js";
import { findGroup, groupGraphAggregate } from "./decider.js";

interface GroupReference {
  readonly datasourceId: DatasourceId;
  readonly datasource: DatasourceName;
  readonly group: string;
}

/** Waits its turn among the group graph's commands, so that it finds no group whose creation is not durable yet. */
export function lookUpGroup(
  handler: CommandHandler,
  context: CommandContext,
  { datasourceId, datasource, group }: GroupReference,
): CommandResult<GroupId> {
  return handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(datasourceId),
    context,
    decide(graph) {
      const found = findGroup(graph, datasource, group);
      return found.ok ? ok({ events: [], value: found.value }) : found;
    },
  });
}
