import type { Feature } from "../http/route.js";
import { webSearchRoutes } from "./routes/webSearch.js";
import type { WebSearch } from "./webSearch.js";

declare module "../http/routeServices.js" {
  interface RouteServices {
    readonly webSearch: WebSearch;
    /** Whether an engine serves the tenant's default mode. */
    readonly searchesWeb: boolean;
  }
}

/** Searches of the web through engines outside. */
export const webSearchFeature: Feature = {
  routes: webSearchRoutes,
  tags: {
    "Web search": "Search the web through an engine outside. Beta.",
  },
};
