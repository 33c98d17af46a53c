import type { MissingFact } from "../auditQueries.js";
import type { FactAt } from "./explainChain.js";

/** What fails first, and the event that ended it where it once was. */
export interface Missing {
  readonly kind: MissingFact["kind"];
  /** One sentence. */
  readonly detail: string;
  readonly ended: FactAt | null;
}
