import type { CommandContext } from "../../../../commands/commands.js";
import type { QueryResult } from "../../../../queries/queries.js";
import type { PageToken } from "../../../shared/pageToken.js";
import type { TriedRequest, WhatIfAnswer } from "../../auditQueries.js";

/** A stretch of those who gain and those who lose. */
export interface WhatIfPage {
  readonly count: number;
  /** Where the previous page ended; null for the first. */
  readonly next: PageToken | null;
}

/** Tries requests and tells what would come of them, page by page, all as of one moment. Writes nothing. */
export type WhatIf = (
  requests: readonly TriedRequest[],
  context: CommandContext,
  page: WhatIfPage,
) => QueryResult<WhatIfAnswer>;
