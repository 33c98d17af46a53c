import type { Statement } from "better-sqlite3";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../../../../commands/ports.js";
import type { BytesReader, ContentReader } from "../../../../projections/ports.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { ThreadWatch } from "../../../shared/restartedWorker.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { openLogForReading } from "./logSchema.js";
import { LogWriter } from "./logWriter.js";
import { textsIn } from "./openSqliteContents.js";
import {
  eventColumns,
  streamEventColumns,
  toRecordedEvent,
  toStreamEvent,
  type EventRow,
  type StreamEventRow,
} from "./recordedEvents.js";

/** A long stream is read in pages of this many events, and the event loop gets its turn between them. */
const pageSize = 256;

/** The log with its texts, and what tells it from others: see `LogForCommands`. */
type OpenedSqliteLog = EventLog & {
  readonly texts: ContentReader & BytesReader;
  firstEventId(): Promise<string | null>;
  close(): Promise<void>;
};

/**
 * Opens the embedded event log, and creates it where it is missing. Reads, of texts too, are on this thread. Appends go
 * to a writer thread that commits in groups with `synchronous=FULL`. Other processes may append to the same file: the
 * expected revision decides. A writer thread that ends is started again. `close` finishes what is queued. Rejects where
 * a newer version of the program wrote the file.
 */
export async function openSqliteEventLog(options: {
  readonly file: string;
  readonly upcasters?: Upcasters;
  /** Called where the writer thread ends, and when it is back. */
  readonly threads?: ThreadWatch;
}): Promise<OpenedSqliteLog> {
  const { file, upcasters = currentUpcasters, threads = new ThreadWatch() } = options;
  const database = openLogForReading(file);
  try {
    const writer = await LogWriter.start({ file, upcasters, threads });
    const streams = streamReader(database, upcasters);
    const close = async (): Promise<void> => {
      database.close();
      await writer.close();
    };
    const first = database.prepare<[], string>("SELECT id FROM events ORDER BY position LIMIT 1").pluck();
    const firstEventId = async (): Promise<string | null> => first.get() ?? null;
    return { ...streams, append: (request) => writer.append(request), texts: textsIn(database), firstEventId, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

function streamReader(
  database: SqliteDatabase,
  upcasters: Upcasters,
): Pick<EventLog, "readStream" | "readEvents" | "readLast"> {
  const recorded = selectPage<EventRow>(database, eventColumns);
  const events = selectPage<StreamEventRow>(database, streamEventColumns);
  const last = database
    .prepare<[string], EventRow>(
      `SELECT ${eventColumns} FROM streams s CROSS JOIN events e ON e.stream = s.id AND e.revision = s.revision WHERE s.name = ?`,
    )
    .raw();
  return {
    readStream: (stream, fromRevision, maxCount = Number.POSITIVE_INFINITY) =>
      readPages(
        (count, limit) => recorded.all(stream, fromRevision + count, limit),
        (row) => toRecordedEvent(row, upcasters),
        maxCount,
      ),
    readEvents: (stream, fromRevision, maxCount) =>
      readPages(
        (count, limit) => events.all(stream, fromRevision + count, limit),
        (row) => toStreamEvent(stream, row, upcasters),
        maxCount,
      ),
    readLast: async (stream) => {
      const row = last.get(stream);
      return row === undefined ? null : toRecordedEvent(row, upcasters);
    },
  };
}

const selectPage = <Row>(database: SqliteDatabase, columns: string): Statement<[string, number, number], Row> =>
  database
    .prepare<[string, number, number], Row>(
      `SELECT ${columns} FROM streams s CROSS JOIN events e ON e.stream = s.id
       WHERE s.name = ? AND e.revision >= ? ORDER BY e.revision LIMIT ?`,
    )
    .raw();

/** `pageAfter` gives the rows that come after so many, within a limit. */
async function readPages<Row, Event>(
  pageAfter: (count: number, limit: number) => readonly Row[],
  toEvent: (row: Row) => Event,
  maxCount: number,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (;;) {
    const limit = Math.min(pageSize, maxCount - events.length);
    const rows = pageAfter(events.length, limit);
    for (const row of rows) events.push(toEvent(row));
    if (rows.length < limit || events.length === maxCount) return events;
    await nextTurn();
  }
}
