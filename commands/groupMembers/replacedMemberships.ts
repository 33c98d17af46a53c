import type { Email, DatasourceId } from "../../src/shared/ids.js";
import { groupMembersStream } from "../../src/events/streams.js";
import type { CommandHandler } from "../handleCommand.js";
import { groupMembersAggregate, toldOf } from "./decider.js";
import type { ToldMemberships } from "./members.js";

/** What replacements of members tell of a person by now. */
export async function replacedMemberships(
  handler: CommandHandler,
  { datasourceId, email }: { readonly datasourceId: DatasourceId; readonly email: Email },
): Promise<ToldMemberships> {
  const { state } = await handler.read(groupMembersAggregate, groupMembersStream(datasourceId));
  return toldOf(state, email);
}
