import type { Feature } from "../http/route.js";
import type { AuditQueries } from "./auditQueries.js";
import type { AuditExport } from "./export/auditExport.js";
import type { WhatIf } from "./whatIf/requests/createWhatIf.js";
import { auditRoutes } from "./routes/audit.js";
import { auditCredentialRoutes } from "./routes/auditCredentials.js";
import { auditExportRoutes } from "./routes/auditExport.js";
import { auditHistoryRoutes } from "./routes/auditHistory.js";
import { auditQuestionRoutes } from "./routes/auditQuestions.js";
import { auditSubjectRoutes } from "./routes/auditSubjects.js";
import { auditWebQueryRoutes } from "./routes/auditWebQueries.js";
import { auditWhatIfRoutes } from "./routes/auditWhatIf.js";

declare module "../http/routeServices.js" {
  interface RouteServices {
    readonly audit: AuditQueries;
    readonly auditExport: AuditExport;
    readonly whatIf: WhatIf;
  }
}

/** The questions of who could see what, when and why. */
export const auditFeature: Feature = {
  routes: [
    ...auditRoutes,
    ...auditExportRoutes,
    ...auditHistoryRoutes,
    ...auditCredentialRoutes,
    ...auditQuestionRoutes,
    ...auditWebQueryRoutes,
    ...auditSubjectRoutes,
    ...auditWhatIfRoutes,
  ],
  tags: {
    Audit: "Who could see what, and why; for people with the role `auditor`.",
  },
};
