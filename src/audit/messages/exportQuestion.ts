import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import type { ExportRequest } from "../export/auditExport.js";
import { AuditParameters } from "./auditParameters.js";

/** The parameters of `GET /api/audit/export`. */
export const exportQuestion: QueryParameters<ExportRequest> = {
  moments: ["from", "to"],
  parameters: [
    inQuery(
      "from",
      "An ISO 8601 time, a consistency token or a position: without what was so by then. Left out: from the first fact.",
    ),
    inQuery("to", "An ISO 8601 time, a consistency token or a position: what was so by then. Left out: now."),
  ],
  check: (parameters) => {
    const given = new AuditParameters(parameters, ["from", "to"]);
    return given.checked({ from: parameters.has("from") ? given.moment("from") : null, to: given.moment("to") });
  },
};
