import type { Logger } from "pino";
import { whenAnswered, type ApiMiddleware } from "../apiContext.js";

/**
 * One line for each request: the route and the credential's id, never the address, for paths and query strings hold what
 * people ask. Requests
 * to `quietPaths` are logged at debug level: they come every few seconds and say nothing.
 */
export const accessLog =
  (logger: Logger, quietPaths: ReadonlySet<string>): ApiMiddleware =>
  async (context, next) => {
    const startedAt = performance.now();
    await next();
    whenAnswered(context, () => {
      const { route = null, requestId, credential, session } = context.state;
      const level = route !== null && quietPaths.has(route) ? "debug" : "info";
      if (!logger.isLevelEnabled(level)) return;
      const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
      logger[level](
        {
          method: context.method,
          status: context.status,
          requestId,
          route,
          credential: session?.id ?? credential?.id,
          ms,
        },
        "request",
      );
    });
  };
