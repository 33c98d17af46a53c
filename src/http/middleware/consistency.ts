import { parseConsistencyToken, toConsistencyToken, type Position } from "../../shared/position.js";
import { valueError } from "../validation/issue.js";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { invalidRequest } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";

/** Tells a client how far the log has come with what it wrote: `X-Consistency-Token`. */
export const answerToken: ApiMiddleware = async (context, next) => {
  await next();
  const { position } = context.state;
  if (position !== null) context.set("X-Consistency-Token", toConsistencyToken(position));
};

/** Reads the token that a client sends back, so that its read sees at least that write. */
export const readToken: ApiMiddleware = (context, next) => {
  context.state.atLeast = positionIn(context);
  return next();
};

function positionIn({ req: { headers } }: ApiContext): Position | null {
  const token = headers["x-consistency-token"];
  if (token === undefined) return null;
  const position = parseConsistencyToken(String(token));
  if (position !== null) return position;
  throw new RefusedRequest(
    invalidRequest([
      valueError(["header", "x-consistency-token"], "the token must be one that this service answered a write with"),
    ]),
  );
}
