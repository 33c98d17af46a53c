import { AuditParameters } from "./auditParameters.js";
import { historyPageSizes } from "./historyParameters.js";
import type { WhatIfMessage } from "./messages/auditMessages.js";
import type { QueryString } from "./queryString.js";
import { checker, type Checked } from "./requestBodies.js";
import { checkInteger } from "./searchParameters.js";
import { validators } from "./validators.js";

class WhatIfParameters extends AuditParameters {
  asked(): Checked<number> {
    return this.checked(checkInteger(this.parameters, "count", historyPageSizes, this.issues));
  }
}

/** Checks the parameters of `POST /api/audit/what-if`: how many of those who gain, and of those who lose, are told. */
export const checkWhatIfParameters = (parameters: QueryString): Checked<number> => new WhatIfParameters(parameters, ["count"]).asked();

/** Checks the body of `POST /api/audit/what-if`; what the requests in it say is the business of their routes. */
export const checkWhatIf: (input: unknown) => Checked<WhatIfMessage> = checker(validators.whatIf);
