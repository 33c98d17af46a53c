import { randomUUID } from "node:crypto";
import type { ApiMiddleware } from "../apiContext.js";

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Names the request in its answer, in the log and in events: as the client does in `X-Request-Id`, or at
 * random: a count would tell clients how many requests others send.
 */
export const requestId: ApiMiddleware = (context, next) => {
  const given = context.req.headers["x-request-id"];
  const id = typeof given === "string" && saneRequestId.test(given) ? given : randomUUID();
  context.state = { requestId: id, params: {}, atLeast: null, position: null };
  context.set("X-Request-Id", id);
  return next();
};
