import { route, type Feature } from "../route.js";
import { healthAnswer } from "../messages/health.js";

const tag = "Operation";
const answer = { schema: healthAnswer };

const live = route({
  method: "GET",
  path: "/health/live",
  access: "open",
  isProbe: true,
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
  isProbe: true,
  async handle(context) {
    const { disk, shares } = context.services;
    const isLogExchanged = context.services.isLogExchanged();
    const { isReady, waitsFor, threadsAway, isStopping } = await context.services.readiness();
    const running = isStopping ? "stopping" : !isReady ? "starting" : shares.requests.areGone ? "busy" : "ready";
    const status = isLogExchanged ? "log_exchanged" : (await disk.isFull()) ? "disk_full" : running;
    context.body = {
      status,
      ...(waitsFor.length > 0 && { waits_for: waitsFor }),
      ...(threadsAway.length > 0 && { threads_away: threadsAway }),
    };
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
    failures: {
      503: "It is starting or ends (`stopping`), builds a read model anew (`waits_for` says which, and how far it is), a thread has ended and is started again (`threads_away`), it has as many requests under way as it can take (`busy`), the disk is full, or the file of the log was exchanged below the service, which answers and writes nothing until it is started again.",
    },
    failure: healthAnswer,
  },
});

/** For load balancers and process supervisors. */
export const healthRoutes = [live, ready];

/** Whether the service is there, for programs that watch over it. */
export const healthFeature: Feature = { routes: healthRoutes, tags: { Operation: "Health." } };
