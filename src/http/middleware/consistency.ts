import { isConsistencyToken } from "../../shared/consistencyTokens.js";
import { beginning, laterOf, type Position } from "../../shared/position.js";
import { valueError } from "../validation/issue.js";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { invalidRequest, toRefusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";

/** As many as a client has writes under way at once, and more. */
const mostTokens = 100;

/** Tells a client how far the log has come with what it wrote: `X-Consistency-Token`. */
export const answerToken: ApiMiddleware = async (context, next) => {
  await next();
  const { position } = context.state;
  const token = position === null ? null : await context.services.consistencyTokens.of(position);
  if (token !== null) context.set("X-Consistency-Token", token);
};

/** Reads the tokens that a client sends back, so that its read sees at least those writes. */
export const readToken: ApiMiddleware = async (context, next) => {
  context.state.atLeast = await positionIn(context);
  return next();
};

async function positionIn({ req: { headers }, services }: ApiContext): Promise<Position | null> {
  const given = headers["x-consistency-token"];
  if (given === undefined) return null;
  const tokens = String(given)
    .split(",")
    .map((token) => token.trim());
  if (tokens.length > mostTokens || !tokens.every(isConsistencyToken)) throw malformed();
  const positions = await Promise.all(tokens.map((token) => services.consistencyTokens.positionOf(token)));
  return positions.reduce<Position>((latest, position) => {
    if (position === null) throw new RefusedRequest(toRefusal({ type: "TokenBeyondLog" }));
    return laterOf(latest, position);
  }, beginning);
}

const malformed = (): RefusedRequest =>
  new RefusedRequest(
    invalidRequest([
      valueError(
        ["header", "x-consistency-token"],
        `the token must be one that this service answered a write with, or up to ${mostTokens} of them with commas between`,
      ),
    ]),
  );
