import { success, type Answer } from "../answer.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import type { ApiRequest } from "../apiRequest.js";
import { schemaOf } from "./descriptions.js";

async function ready(_request: ApiRequest, { isReady }: RouteServices): Promise<Answer> {
  return (await isReady())
    ? success({ status: "ready" })
    : { status: 503, body: { status: "starting" }, headers: ["Retry-After", "1"] };
}

const tag = "Operation";
const answer = { schema: schemaOf("HealthAnswer") };

/** For load balancers and process supervisors. */
export const healthRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/health/live",
    access: "open",
    handle: () => success({ status: "alive" }),
    description: {
      tag,
      summary: "Whether the process answers",
      success: { ...answer, description: "It does.", example: { status: "alive" } },
    },
  },
  {
    method: "GET",
    path: "/health/ready",
    access: "open",
    handle: ready,
    description: {
      tag,
      summary: "Whether the service should get requests",
      success: {
        ...answer,
        description: "Everything that was written before the start is served.",
        example: { status: "ready" },
      },
      failures: { 503: "It is starting." },
    },
  },
];
