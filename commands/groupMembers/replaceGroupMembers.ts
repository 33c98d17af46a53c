import { groupMembersStream } from "../../src/events/streams.js";
import type { DatasourceName, Email } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { lookUpGroup } from "../group/groupCommands.js";
import { decide, groupMembersAggregate, type Replacement } from "./decider.js";
import type { KnownMembers } from "./members.js";

interface ReplaceGroupMembers {
  readonly datasource: DatasourceName;
  readonly group: string;
  /** Each once. */
  readonly members: readonly Email[];
  /** The members that the group has by now. */
  readonly known: KnownMembers;
}

/**
 * Makes these people the members of a group, and nobody else: all at once. Groups in it stay. Answers `outdated`, with
 * nothing written, where who belongs to it has to be looked up again.
 */
export async function replaceGroupMembers(
  { handler }: CommandServices,
  { datasource, group, members, known }: ReplaceGroupMembers,
  context: CommandContext,
): CommandResult<Replacement> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  const found = await lookUpGroup(handler, context, { datasourceId, datasource, group });
  if (!found.ok) return found;
  const { value: groupId, position } = found.value;
  if (groupId !== known.groupId) return ok({ value: { kind: "outdated" }, position });
  return handler.handle({
    aggregate: groupMembersAggregate,
    stream: groupMembersStream(datasourceId),
    context,
    readElsewhereUpTo: known.asOf,
    decide: (state) => decide({ datasourceId, datasource, members, known }, state),
  });
}
