import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../shared/credential.js";
import type { Metrics } from "../metrics.js";
import { bearerToken, unauthorized } from "../middleware/authentication.js";
import type { Route } from "../route.js";

/**
 * For Prometheus. Open, as the health routes are, but where a token is asked for: without one, who may reach it is a
 * matter of the network.
 */
export function metricsRoute(metrics: Metrics, token: string | null): Route {
  const expected = token === null ? null : Buffer.from(hashSecret(token));
  const isExpected = (given: string | null): boolean =>
    expected === null || (given !== null && timingSafeEqual(Buffer.from(hashSecret(given)), expected));
  return {
    method: "GET",
    path: "/metrics",
    access: "open",
    async handle(context) {
      if (!isExpected(bearerToken(context.req.headers.authorization)))
        throw unauthorized("Metrics need the header `Authorization: Bearer <token>` with the token of METRICS_TOKEN.");
      context.set("Content-Type", metrics.contentType);
      context.body = Buffer.from(await metrics.text());
    },
  };
}
