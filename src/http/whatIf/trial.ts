import type { Commands } from "../../../commands/commands.js";
import type { TriedRequest, WhatIfAnswer } from "../../../queries/audit/auditQueries.js";
import type { QueryResult } from "../../../queries/queries.js";
import type { DomainEvent } from "../../events/domainEvent.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import type { Position } from "../../shared/position.js";

/** On whose behalf requests are tried. */
export interface TrialContext {
  readonly credential: CredentialRecord;
  /** Correlates the events that would be written. */
  readonly requestId: string;
}

/** The write side on a log that forgets: what commands append is in memory, on top of what the log held. */
export interface Trial {
  readonly commands: Commands;
  /** Up to where the log counts. */
  readonly position: Position;
  /** What was appended by now. */
  events(): readonly DomainEvent[];
}

/** Tries requests and tells what would come of them: of those who gain, and of those who lose, `count` at most. Writes nothing. */
export type WhatIf = (requests: readonly TriedRequest[], context: TrialContext, count: number) => QueryResult<WhatIfAnswer>;
