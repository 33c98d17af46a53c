import { whenAnswered, type ApiMiddleware } from "../apiContext.js";
import type { Metrics } from "../metrics.js";

/** Counts requests and how long they take, by method, route and status. */
export const observeRequests =
  (metrics: Metrics): ApiMiddleware =>
  async (context, next) => {
    const startedAt = performance.now();
    await next();
    whenAnswered(context, () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.observe(context.method, context.state.route ?? null, context.status, seconds);
    });
  };
