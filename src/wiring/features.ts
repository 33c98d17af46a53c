import { apiFeature } from "../api/apiFeature.js";
import { auditFeature } from "../audit/auditFeature.js";
import { chatFeature } from "../chat/chatFeature.js";
import type { Feature } from "../http/route.js";
import { healthFeature } from "../http/routes/health.js";
import { mcpFeature } from "../mcp/mcpFeature.js";
import { operationsFeature } from "../operations/operationsFeature.js";
import { webSearchFeature } from "../webSearch/webSearchFeature.js";

/** What the service is made of, in the order of the API description. */
export const features: readonly Feature[] = [
  apiFeature,
  mcpFeature,
  webSearchFeature,
  chatFeature,
  auditFeature,
  operationsFeature,
  healthFeature,
];

/** Every route that the API description tells of. Router, description and what-if are made from this list. */
export const apiRoutes = features.flatMap(({ routes }) => routes);
