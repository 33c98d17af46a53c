import { auditRoutes } from "../audit/routes/audit.js";
import { auditExportRoutes } from "../audit/routes/auditExport.js";
import { auditQuestionRoutes } from "../audit/routes/auditQuestions.js";
import { auditWebQueryRoutes } from "../audit/routes/auditWebQueries.js";
import { auditHistoryRoutes } from "../audit/routes/auditHistory.js";
import { auditWhatIfRoutes } from "../audit/routes/auditWhatIf.js";
import { externalSearchRoutes } from "../mcp/routes/externalSearch.js";
import { mcpRoutes } from "../mcp/routes/mcp.js";
import { agentRoutes } from "../operations/routes/agents.js";
import { chatRoutes } from "../chat/routes/chat.js";
import { credentialRoutes } from "../operations/routes/credentials.js";
import { eventRoutes } from "../operations/routes/events.js";
import { parkedRoutes } from "../operations/routes/parked.js";
import { projectionRoutes } from "../operations/routes/projections.js";
import { undoRoutes } from "../operations/routes/undo.js";
import { verificationRoutes } from "../operations/routes/verification.js";
import { webSearchRoutes } from "../webSearch/routes/webSearch.js";
import type { DescribedRoute } from "./route.js";
import { checkAccessRoutes } from "./routes/checkAccess.js";
import { datasourceRoutes } from "./routes/datasources.js";
import { documentRoutes } from "./routes/documents.js";
import { fileTypeRoutes } from "./routes/fileTypes.js";
import { fileRoutes } from "./routes/files.js";
import { groupRoutes } from "./routes/groups.js";
import { healthRoutes } from "./routes/health.js";
import { inventoryRoutes } from "./routes/inventory.js";
import { membershipRoutes } from "./routes/memberships.js";
import { searchRoutes } from "./routes/search.js";
import { syncRunRoutes } from "./routes/syncRuns.js";
import { userRoutes } from "./routes/users.js";

/**
 * Every route that the API description tells of. Router, description and what-if are made from this list.
 * docs/extending.md tells what else a new route touches.
 */
export const apiRoutes: readonly DescribedRoute[] = [
  ...datasourceRoutes,
  ...fileTypeRoutes,
  ...documentRoutes,
  ...checkAccessRoutes,
  ...syncRunRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...membershipRoutes,
  ...inventoryRoutes,
  ...searchRoutes,
  ...fileRoutes,
  ...mcpRoutes,
  ...externalSearchRoutes,
  ...webSearchRoutes,
  ...chatRoutes,
  ...auditRoutes,
  ...auditExportRoutes,
  ...auditHistoryRoutes,
  ...auditQuestionRoutes,
  ...auditWebQueryRoutes,
  ...projectionRoutes,
  ...verificationRoutes,
  ...parkedRoutes,
  ...undoRoutes,
  ...eventRoutes,
  ...agentRoutes,
  ...credentialRoutes,
  ...auditWhatIfRoutes,
  ...healthRoutes,
];
