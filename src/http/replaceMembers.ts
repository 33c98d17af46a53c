import { commandContextOf, type ApiContext } from "./apiContext.js";
import type { DatasourceName, Email } from "../shared/ids.js";
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

/** Only replacements by other processes make another attempt necessary. */
const mostAttempts = 50;
const longestWaitMs = 10_000;

/**
 * Looks up who belongs to the group, and gives the command that makes it these people; again where another process was
 * faster. Replacements of this process wait for each other, else all would look again whenever one of them is through.
 */
export async function replaceMembers(context: ApiContext, asked: MembersToBe): Promise<Replaced> {
  const { replacements, waitUntilProjected } = context.services;
  const { datasource } = asked;
  await requireDatasource(context, datasource);
  const done = await replacements.takeWithin(datasource, longestWaitMs, () => repeat(context, asked));
  if (done === null)
    throw new RefusedRequest(toRefusal({ type: "TooMuchContention", stream: `groupMembers of ${datasource}` }));
  const { replaced, position } = done;
  if (position !== null) await waitUntilProjected(position);
  context.state.position = position;
  return replaced;
}

interface Done {
  readonly replaced: Replaced;
  readonly position: Position | null;
}

async function repeat(context: ApiContext, asked: MembersToBe): Promise<Done | null> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const done = await attempt(context, asked);
    if (done !== null) return done;
  }
  return null;
}

/** null: others were faster. */
async function attempt(context: ApiContext, { datasource, group, members }: MembersToBe): Promise<Done | null> {
  const { audit, commands } = context.services;
  const known = valueOf(await audit.groupMembers({ datasource, group, people: members }));
  const { datasourceId } = known;
  // The members are of the end of the log, and the catalogue, which was asked before, may not have come so far.
  if (!mayUse(context, { name: datasource, datasourceId }))
    throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource }));
  const { value, position } = valueOf(
    await commands.replaceGroupMembers({ datasource, group, members, known }, commandContextOf(context)),
  );
  return value.kind === "done" ? { replaced: value, position } : null;
}
