import type { ApiMiddleware } from "../apiContext.js";
import { refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";

/**
 * Refuses what comes while `most` requests are under way: each holds memory, and would only wait for the others. Those
 * whose answers are streams are not counted once these have begun. Requests to `quietPaths` are always answered, so that
 * nobody takes a busy service for a dead one.
 */
export function limitRequests(most: number, quietPaths: ReadonlySet<string>): ApiMiddleware {
  let underWay = 0;
  return async (context, next) => {
    if (quietPaths.has(context.path)) return next();
    if (underWay >= most) throw tooMany();
    underWay++;
    try {
      await next();
    } finally {
      underWay--;
    }
  };
}

const tooMany = (): RefusedRequest =>
  new RefusedRequest(
    refusal(
      503,
      "The service has more requests under way than it can take. Nothing was done; send the request again.",
      {
        "Retry-After": "1",
      },
    ),
  );
