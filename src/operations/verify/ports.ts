import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { AccessReader, CatalogueReader, CredentialReader, SearchReader } from "../../../queries/ports.js";

/** The log as a comparison reads it: from its beginning, in order. A projection's `EventSource` is one. */
export interface LogSource {
  /** Delivers what is there after `after`, then waits for more until the signal aborts. */
  subscribe(request: {
    readonly after: Position;
    readonly categories: readonly StreamCategory[];
    readonly maxBatchSize: number;
    readonly signal: AbortSignal;
  }): AsyncIterable<{
    readonly events: readonly RecordedEvent[];
    readonly position: Position;
    readonly caughtUp: boolean;
  }>;
  /** Position of the newest event. */
  head(): Promise<Position>;
}

/** Readers of one version of read models. What is left out is not compared. */
export interface ComparedReaders {
  readonly search?: SearchReader;
  readonly access?: AccessReader;
  readonly catalogue?: CatalogueReader;
  readonly credentials?: CredentialReader;
}
