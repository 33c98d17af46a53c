import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../../../../commands/ports.js";
import type { ContentReader } from "../../../../projections/ports.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { openLogForReading } from "./logSchema.js";
import { LogWriter } from "./logWriter.js";
import { textsIn } from "./openSqliteContents.js";
import { eventColumns, toRecordedEvent, type EventRow } from "./recordedEvents.js";

/** A long stream is read in pages of this many events, and the event loop gets its turn between them. */
const pageSize = 256;

/**
 * Opens the embedded event log, and creates it where it is missing. Reads, of texts too, are on this thread. Appends go to
 * a writer thread that commits in groups with `synchronous=FULL`. Other processes may append to the same file: the
 * expected revision decides. `close` finishes what is queued. Rejects where a newer version of the program wrote the
 * file.
 */
export async function openSqliteEventLog(options: {
  readonly file: string;
  readonly upcasters?: Upcasters;
}): Promise<EventLog & { readonly texts: ContentReader; close(): Promise<void> }> {
  const { file, upcasters = currentUpcasters } = options;
  const database = openLogForReading(file);
  try {
    const writer = await LogWriter.start(file, upcasters);
    const streams = streamReader(database, upcasters);
    const close = async (): Promise<void> => {
      database.close();
      await writer.close();
    };
    return { ...streams, append: (request) => writer.append(request), texts: textsIn(database), close };
  } catch (error) {
    database.close();
    throw error;
  }
}

function streamReader(database: SqliteDatabase, upcasters: Upcasters): Pick<EventLog, "readStream" | "readLast"> {
  const page = database
    .prepare<[string, number, number], EventRow>(
      `SELECT ${eventColumns} FROM streams s CROSS JOIN events e ON e.stream = s.id
       WHERE s.name = ? AND e.revision >= ? ORDER BY e.revision LIMIT ?`,
    )
    .raw();
  const last = database
    .prepare<[string], EventRow>(
      `SELECT ${eventColumns} FROM streams s CROSS JOIN events e ON e.stream = s.id AND e.revision = s.revision WHERE s.name = ?`,
    )
    .raw();
  return {
    readStream: async (stream, fromRevision, maxCount = Number.POSITIVE_INFINITY) => {
      const events: RecordedEvent[] = [];
      for (;;) {
        const limit = Math.min(pageSize, maxCount - events.length);
        const rows = page.all(stream, fromRevision + events.length, limit);
        for (const row of rows) events.push(toRecordedEvent(row, upcasters));
        if (rows.length < limit || events.length === maxCount) return events;
        await nextTurn();
      }
    },
    readLast: async (stream) => {
      const row = last.get(stream);
      return row === undefined ? null : toRecordedEvent(row, upcasters);
    },
  };
}
