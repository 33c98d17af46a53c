import type { PageToken } from "../shared/pageToken.js";
import { HistoryParameters } from "./historyParameters.js";
import type { WhatIfMessage } from "./messages/auditMessages.js";
import type { QueryString } from "./queryString.js";
import { checker, type Checked } from "./requestBodies.js";
import { validators } from "./validators.js";

/** Checks the parameters of `POST /api/audit/what-if`. */
export function checkWhatIfParameters(
  parameters: QueryString,
): Checked<{ readonly count: number; readonly next: PageToken | null }> {
  const given = new HistoryParameters(parameters, ["count", "next"]);
  return given.checked({ count: given.count(), next: given.page("next") });
}

/** Checks the body of `POST /api/audit/what-if`; what the requests in it say is the business of their routes. */
export const checkWhatIf: (input: unknown) => Checked<WhatIfMessage> = checker(validators.whatIf);
