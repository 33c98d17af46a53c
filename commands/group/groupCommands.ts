import type { DatasourceName, DatasourceId, GroupId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { refuseGroupName } from "./groupName.js";
import { groupGraphStream, groupMembersStream } from "../../src/events/streams.js";
import { untilDeleted, replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, groupGraphAggregate, type GroupCommand, findGroup } from "./decider.js";
import { ok } from "../../src/shared/result.js";
import { groupMembersAggregate } from "../groupMembers/decider.js";

interface CreateGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
}

/** Creates a group; its name is judged before the datasource is looked up (spec: POST /groups). */
export async function createGroup(
  { handler, minting, productName }: CommandServices,
  { datasource, name }: CreateGroup,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseGroupName(name, productName));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  return handleGroup(handler, context, {
    type: "CreateGroup",
    datasourceId,
    datasource,
    groupId: minting.groupId(),
    name,
  });
}

interface RenameGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
  readonly newName: string;
}

/** Gives a group a new name; documents keep naming the old one (spec: PUT /groups, Visibility rules, 8). */
export async function renameGroup(
  { handler, productName }: CommandServices,
  { datasource, name, newName }: RenameGroup,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseGroupName(newName, productName));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  return handleGroup(handler, context, { type: "RenameGroup", datasourceId, datasource, name, newName });
}

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

/** Handles a command of a datasource's group graph. */
export function handleGroup(
  handler: CommandHandler,
  context: CommandContext,
  command: GroupCommand,
): CommandResult<null> {
  return handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(command.datasourceId),
    context,
    decide: (graph) => replyWith(decide(command, graph), null),
  });
}

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

/**
 * Folds the group graph of a datasource, and the replacements of its groups' members, ahead of the first command, which
 * would otherwise wait for it. Writes nothing. Waits in the stream's queue like any command, so that none is decided on
 * a graph that is half folded (ADR 8).
 */
export async function foldGroupGraph({ handler }: CommandServices, datasourceId: DatasourceId): Promise<void> {
  await handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(datasourceId),
    context: { by: "operator", correlationId: "", allowedDatasources: null },
    decide: () => ok({ events: [], value: null }),
  });
  await handler.read(groupMembersAggregate, groupMembersStream(datasourceId));
}
