import { commandContextOf, type ApiContext } from "./apiContext.js";
import { groupMembersStream } from "../events/streams.js";
import type { DatasourceId, DatasourceName, Email } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import { toRefusal, valueOf } from "./envelopes.js";
import { mayUse, requireDatasource } from "./middleware/authentication.js";
import { RefusedRequest } from "./refusedRequest.js";

interface MembersToBe {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly members: readonly Email[];
}

/** How many joined and left. */
interface Replaced {
  readonly joined: number;
  readonly left: number;
}

/** Replacements by other processes, and first attempts in this one, make another attempt necessary. */
const mostAttempts = 50;
const longestWaitMs = 10_000;

/**
 * Looks up who belongs to the group, and gives the command that makes it these people; again where others were faster.
 * Those that were slower once wait for each other: else all would look again whenever one of them is through.
 */
export async function replaceMembers(context: ApiContext, asked: MembersToBe): Promise<Replaced> {
  const { replacements, waitUntilProjected } = context.services;
  await requireDatasource(context, asked.datasource);
  const first = await attempt(context, asked);
  const { replaced, position } =
    first.replaced !== null
      ? first
      : ((await replacements.take(asked.datasource, longestWaitMs, () => repeat(context, asked))) ?? first);
  if (replaced === null) {
    const stream = groupMembersStream(first.datasourceId);
    throw new RefusedRequest(toRefusal({ type: "TooMuchContention", stream }));
  }
  if (position !== null) await waitUntilProjected(position);
  context.state.position = position;
  return replaced;
}

interface Attempted {
  readonly datasourceId: DatasourceId;
  /** null: others were faster. */
  readonly replaced: Replaced | null;
  readonly position: Position | null;
}

async function repeat(context: ApiContext, asked: MembersToBe): Promise<Attempted> {
  for (let attempts = 1; ; attempts++) {
    const attempted = await attempt(context, asked);
    if (attempted.replaced !== null || attempts === mostAttempts) return attempted;
  }
}

async function attempt(context: ApiContext, { datasource, group, members }: MembersToBe): Promise<Attempted> {
  const { audit, commands } = context.services;
  const known = valueOf(await audit.groupMembers({ datasource, group, people: members }));
  const { datasourceId } = known;
  // The members are of the end of the log, and the catalogue, which was asked before, may not have come so far.
  if (!mayUse(context, { name: datasource, datasourceId }))
    throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource }));
  const { value, position } = valueOf(
    await commands.replaceGroupMembers({ datasource, group, members, known }, commandContextOf(context)),
  );
  return { datasourceId, replaced: value.kind === "done" ? value : null, position };
}
