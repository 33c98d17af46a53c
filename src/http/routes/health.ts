import { route } from "../route.js";
import { healthAnswer } from "../messages/health.js";

const tag = "Operation";
const answer = { schema: healthAnswer };

const live = route({
  method: "GET",
  path: "/health/live",
  access: "open",
  handle(context) {
    context.body = { status: "alive" };
  },
  description: {
    tag,
    summary: "Whether the process answers",
    success: { ...answer, description: "It does.", example: { status: "alive" } },
  },
});

const ready = route({
  method: "GET",
  path: "/health/ready",
  access: "open",
  async handle(context) {
    const { disk } = context.services;
    const { isReady, waitsFor } = await context.services.readiness();
    const status = (await disk.isFull()) ? "disk_full" : isReady ? "ready" : "starting";
    context.body = { status, ...(waitsFor.length > 0 && { waits_for: waitsFor }) };
    if (status === "ready") return;
    context.status = 503;
    context.set("Retry-After", "1");
  },
  description: {
    tag,
    summary: "Whether the service should get requests",
    success: {
      ...answer,
      description: "Everything that was written before the start is served.",
      example: { status: "ready" },
    },
    failures: { 503: "It is starting or builds a read model anew (`waits_for` says which), or the disk is full." },
    failure: healthAnswer,
  },
});

/** For load balancers and process supervisors. */
export const healthRoutes = [live, ready];
