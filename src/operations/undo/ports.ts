import type { ContentReference } from "../../events/document.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory, StreamName } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { EventLog } from "../../../commands/ports.js";

/** The log as an undo reads it. */
export interface UndoLog extends Pick<EventLog, "readStream" | "readLast"> {
  /** Everything of these categories after one position, up to and including another, in order. */
  readRange(
    after: Position,
    upTo: Position,
    categories: readonly StreamCategory[],
  ): AsyncIterable<readonly RecordedEvent[]>;
  head(): Promise<Position>;
}

/** Reads the texts that are still there. */
export interface UndoTexts {
  /** Null where the text has been erased. */
  read(key: { readonly stream: StreamName; readonly reference: ContentReference }): Promise<string | null>;
}
