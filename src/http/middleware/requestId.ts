import { randomUUID } from "node:crypto";
import type { ApiMiddleware } from "../apiContext.js";

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/** Random per process, counted within it: unique without asking for randomness at every request. */
const processId = randomUUID().slice(0, 13);
let requestCount = 0;

/** Names the request in its answer, in the log and in events: as the client does in `X-Request-Id`, or by itself. */
export const requestId: ApiMiddleware = (context, next) => {
  const given = context.req.headers["x-request-id"];
  const id =
    typeof given === "string" && saneRequestId.test(given) ? given : `${processId}-${(++requestCount).toString(36)}`;
  context.state = { requestId: id, params: {}, atLeast: null, position: null };
  context.set("X-Request-Id", id);
  return next();
};
