import type { Metrics } from "../metrics.js";
import type { Route } from "../route.js";

/** For Prometheus. Open, as the health routes are: who may reach it is a matter of the network. */
export const metricsRoute = (metrics: Metrics): Route => ({
  method: "GET",
  path: "/metrics",
  access: "open",
  async handle(context) {
    context.set("Content-Type", metrics.contentType);
    context.body = Buffer.from(await metrics.text());
  },
});
