import type { Feature } from "../http/route.js";
import { externalSearchRoutes } from "./routes/externalSearch.js";
import { mcpRoutes } from "./routes/mcp.js";

/** What chat programs and agents ask that bring their own model. */
export const mcpFeature: Feature = {
  routes: [...mcpRoutes, ...externalSearchRoutes],
  tags: {
    MCP: "For chat programs and agents that bring their own model.",
  },
};
