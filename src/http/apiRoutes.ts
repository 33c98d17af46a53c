import { auditCredentialRoutes } from "../audit/routes/auditCredentials.js";
import { auditRoutes } from "../audit/routes/audit.js";
import { auditExportRoutes } from "../audit/routes/auditExport.js";
import { auditQuestionRoutes } from "../audit/routes/auditQuestions.js";
import { auditWebQueryRoutes } from "../audit/routes/auditWebQueries.js";
import { auditHistoryRoutes } from "../audit/routes/auditHistory.js";
import { auditSubjectRoutes } from "../audit/routes/auditSubjects.js";
import { auditWhatIfRoutes } from "../audit/routes/auditWhatIf.js";
import { externalSearchRoutes } from "../mcp/routes/externalSearch.js";
import { mcpRoutes } from "../mcp/routes/mcp.js";
import { agentRoutes } from "../operations/routes/agents.js";
import { chatRoutes } from "../chat/routes/chat.js";
import { accountRoutes } from "../operations/routes/accounts.js";
import { apiKeyRoutes } from "../operations/routes/apiKeys.js";
import { serviceAccountRoutes } from "../operations/routes/serviceAccounts.js";
import { eventRoutes } from "../operations/routes/events.js";
import { parkedRoutes } from "../operations/routes/parked.js";
import { projectionRoutes } from "../operations/routes/projections.js";
import { undoRoutes } from "../operations/routes/undo.js";
import { verificationRoutes } from "../operations/routes/verification.js";
import { webSearchRoutes } from "../webSearch/routes/webSearch.js";
import type { DescribedRoute } from "./route.js";
import { administrationRoutes } from "./routes/administration.js";
import { checkAccessRoutes } from "./routes/checkAccess.js";
import { datasourceRoutes } from "./routes/datasources.js";
import { documentRoutes } from "./routes/documents.js";
import { fileTypeRoutes } from "./routes/fileTypes.js";
import { fileRoutes } from "./routes/files.js";
import { groupRoutes } from "./routes/groups.js";
import { healthRoutes } from "./routes/health.js";
import { inventoryRoutes } from "./routes/inventory.js";
import { membershipRoutes } from "./routes/memberships.js";
import { sessionRoutes } from "./routes/session.js";
import { searchRoutes } from "./routes/search.js";
import { suggestRoutes } from "./routes/suggest.js";
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
  ...administrationRoutes,
  ...searchRoutes,
  ...suggestRoutes,
  ...fileRoutes,
  ...mcpRoutes,
  ...externalSearchRoutes,
  ...webSearchRoutes,
  ...chatRoutes,
  ...auditRoutes,
  ...auditExportRoutes,
  ...auditHistoryRoutes,
  ...auditCredentialRoutes,
  ...auditQuestionRoutes,
  ...auditWebQueryRoutes,
  ...auditSubjectRoutes,
  ...projectionRoutes,
  ...verificationRoutes,
  ...parkedRoutes,
  ...undoRoutes,
  ...eventRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...serviceAccountRoutes,
  ...apiKeyRoutes,
  ...auditWhatIfRoutes,
  ...healthRoutes,
];
