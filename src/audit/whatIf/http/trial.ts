import type { CommandContext, Commands } from "../../../../commands/commands.js";
import type { TriedRequest, WhatIfAnswer } from "../../auditQueries.js";
import type { QueryResult } from "../../../../queries/queries.js";
import type { DomainEvent } from "../../../events/domainEvent.js";
import type { PageToken } from "../../../shared/pageToken.js";
import type { Position } from "../../../shared/position.js";

/** The write side on a log that forgets: what commands append is in memory, on top of what the log held. */
export interface Trial {
  readonly commands: Commands;
  /** Up to where the log counts. */
  readonly position: Position;
  /** What was appended by now. */
  events(): readonly DomainEvent[];
}

/**
 * Begins a trial on the log as it was at a position, or as it is now; null for a position that the log has not reached.
 */
export type OpenTrial = (at: Position | null) => Promise<Trial | null>;

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
