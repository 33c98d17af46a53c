import type { Feature } from "../http/route.js";
import type { Chat } from "./chat.js";
import type { ChatLimits } from "./chatLimits.js";
import { compatibleError } from "./messages/chatErrors.js";
import { chatRoutes } from "./routes/chat.js";
import { compatibleBase, notFunctionalRoutes } from "./routes/notFunctional.js";

declare module "../http/routeServices.js" {
  interface RouteServices {
    readonly chat: Chat;
    /** How many answers are made at once. */
    readonly chatLimits: ChatLimits;
  }
}

/** Models, and answers of theirs that rest on what their person may see. */
export const chatFeature: Feature = {
  routes: chatRoutes,
  tags: {
    Chat: "Models, and answers of theirs with searches of their own, as the usual clients of LLM APIs ask. Beta.",
  },
  undescribedRoutes: notFunctionalRoutes,
  envelope: { base: compatibleBase, toError: compatibleError },
};
