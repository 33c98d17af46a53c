import type { ExportRequest } from "../audit/export/auditExport.js";
import { AuditParameters } from "./auditParameters.js";
import type { QueryString } from "./queryString.js";
import type { Checked } from "./requestBodies.js";

/** Checks the parameters of `GET /api/audit/export`. */
export function checkExportQuestion(parameters: QueryString): Checked<ExportRequest> {
  const given = new AuditParameters(parameters, ["from", "to"]);
  return given.checked({ from: parameters.has("from") ? given.moment("from") : null, to: given.moment("to") });
}
