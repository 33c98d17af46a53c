import { userStream } from "../../src/events/streams.js";
import type { DatasourceName, Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { replacedMemberships } from "../groupMembers/replacedMemberships.js";
import { untilDeleted } from "../untilDeleted.js";
import type { CommandServices } from "../services.js";
import { decide, userAggregate } from "./decider.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";

interface DeleteUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
}

/**
 * Ends a person's registration on a datasource, with every membership there: from then on the person sees none of its
 * documents.
 */
export async function deleteUser(
  { handler }: CommandServices,
  { datasource, email }: DeleteUser,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseEmptyEmail(email));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  const replaced = await replacedMemberships(handler, { datasourceId, email });
  return untilDeleted(handler, {
    aggregate: userAggregate,
    stream: userStream(datasourceId, email),
    context,
    decision: (state) => decide({ type: "DeleteUser", datasourceId, datasource, email, replaced }, state),
    last: "UserDeleted",
  });
}
