import type { ParkedEvent, ParkedEvents } from "../../../projections/ports.js";
import { toPosition } from "../../shared/position.js";
import type { SqliteDatabase } from "./database.js";

interface StoredParkedEvent extends Omit<ParkedEvent, "position"> {
  readonly position: bigint;
}

/** The parked events of a file that holds read models (`checkpointTables`). */
export function parkedEventsIn(database: SqliteDatabase): ParkedEvents {
  const select = database
    .prepare<[string], StoredParkedEvent>(
      "SELECT position, stream, event_type AS eventType, scope, error FROM parked_events WHERE projection = ? ORDER BY position",
    )
    .safeIntegers();
  return {
    list: async (projection) =>
      select.all(projection).map((event) => ({ ...event, position: toPosition(event.position) })),
  };
}
