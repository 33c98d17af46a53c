import type { Metrics } from "../metrics.js";
import type { Route } from "../route.js";

/** For Prometheus. Open, as the health routes are: who may reach it is a matter of the network. */
export const metricsRoute = (metrics: Metrics): Route => ({
  method: "GET",
  path: "/metrics",
  access: "open",
  handle: async () => ({
    status: 200,
    raw: { type: metrics.contentType, bytes: Buffer.from(await metrics.text()) },
    headers: ["Cache-Control", "no-store"],
  }),
});
