import type { DatasourceName, Email } from "../shared/ids.js";
import { groupMembersStream } from "../events/streams.js";
import { commandContextOf, type ApiContext } from "./apiContext.js";
import { toRefusal, valueOf } from "./envelopes.js";
import { mayUse, requireDatasource } from "./middleware/authentication.js";
import { RefusedRequest } from "./refusedRequest.js";

interface MembersToBe {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly members: readonly Email[];
}

/** Only replacements that concern the same group or the same people make another attempt necessary. */
const mostAttempts = 50;

/**
 * Looks up who belongs to the group, and gives the command that makes it these people; again where others were faster.
 * Answers with how many joined and left.
 */
export async function replaceMembers(
  context: ApiContext,
  { datasource, group, members }: MembersToBe,
): Promise<{ readonly joined: number; readonly left: number }> {
  const { audit, commands, waitUntilProjected } = context.services;
  await requireDatasource(context, datasource);
  for (let attempt = 1; ; attempt++) {
    const known = valueOf(await audit.groupMembers({ datasource, group, people: members }));
    const { datasourceId } = known;
    // The members are of the end of the log, and the catalogue, which was asked before, may not have come so far.
    if (!mayUse(context, { name: datasource, datasourceId }))
      throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource }));
    const replaced = valueOf(
      await commands.replaceGroupMembers({ datasource, group, members, known }, commandContextOf(context)),
    );
    const { value, position } = replaced;
    if (value.kind === "outdated") {
      if (attempt < mostAttempts) continue;
      throw new RefusedRequest(toRefusal({ type: "TooMuchContention", stream: groupMembersStream(datasourceId) }));
    }
    if (position !== null) await waitUntilProjected(position);
    context.state.position = position;
    return value;
  }
}
