import type { EventReader, ProjectionOverview } from "../http/ports.js";
import type { Feature } from "../http/route.js";
import type { ParkedEvents } from "./parked/parkedEvents.js";
import { accountRoutes } from "./routes/accounts.js";
import { agentRoutes } from "./routes/agents.js";
import { apiKeyRoutes } from "./routes/apiKeys.js";
import { eventRoutes } from "./routes/events.js";
import { parkedRoutes } from "./routes/parked.js";
import { projectionRoutes } from "./routes/projections.js";
import { serviceAccountRoutes } from "./routes/serviceAccounts.js";
import { undoRoutes } from "./routes/undo.js";
import { verificationRoutes } from "./routes/verification.js";
import type { Undo } from "./undo/undo.js";
import type { Verification } from "./verify/verification.js";

declare module "../http/routeServices.js" {
  interface RouteServices {
    readonly eventLog: EventReader;
    readonly projections: ProjectionOverview;
    readonly verification: Verification;
    readonly parked: ParkedEvents;
    readonly undo: Undo;
  }
}

/** Where read models stand, what has happened, who may do what; proving and repairing what is served. */
export const operationsFeature: Feature = {
  routes: [
    ...projectionRoutes,
    ...verificationRoutes,
    ...parkedRoutes,
    ...undoRoutes,
    ...eventRoutes,
    ...agentRoutes,
    ...accountRoutes,
    ...serviceAccountRoutes,
    ...apiKeyRoutes,
  ],
  tags: {
    Projections: "Where read models stand, and building them anew; for people with the role `operator`.",
    Events: "What has happened; for people with the role `operator`.",
    Agents: "What people talk to; for people with the role `operator`.",
    Accounts: "Who may sign in, and with which roles; for people with the role `administrator`.",
    Credentials:
      "Service accounts, for administrators, and personal keys, one's own for everybody. For people who are signed in: no key may make keys.",
  },
};
