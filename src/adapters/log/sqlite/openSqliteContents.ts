import type { Statement } from "better-sqlite3";
import {
  EngineUnavailable,
  type BytesReader,
  type ContentEraser,
  type ContentKey,
  type ContentReader,
} from "../../../../projections/ports.js";
import { isDamage } from "../../../shared/damage.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { ContentErased } from "../contentErased.js";
import { SqliteContentEraser } from "./contentEraser.js";
import { openLogForReading } from "./logSchema.js";

type ChunkRow = readonly [text: string, chunks: number];

interface ChunkCount {
  readonly found: number;
  readonly chunks: number | null;
}

/**
 * The texts of the embedded log, through connections of its own: usable in any thread and process. Reading is
 * synchronous, and erasing blocks its thread while it waits for the write lock. So neither belongs on a thread that
 * serves requests.
 */
export function openSqliteContents(options: {
  readonly file: string;
}): ContentReader & BytesReader & ContentEraser & { close(): Promise<void> } {
  const database = openLogForReading(options.file);
  // Names of streams are scattered over their index: with SQLite's default of 2 MB each look-up would read its pages
  // again.
  database.pragma("cache_size = -16000");
  const eraser = new SqliteContentEraser(options.file);
  const texts = textsIn(database);
  const orLogDamaged = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw isDamage(error) ? logDamaged(options.file) : error;
    }
  };
  return {
    read: (key) => orLogDamaged(() => texts.read(key)),
    readBytes: (key) => orLogDamaged(() => texts.readBytes(key)),
    erase: (key, before) => orLogDamaged(() => eraser.erase(key, before)),
    eraseDatasource: (datasourceId) => orLogDamaged(() => eraser.eraseDatasource(datasourceId)),
    close: async () => {
      database.close();
      await eraser.close();
    },
  };
}

/** Nothing of what SQLite says goes with it: who projects would take it for damage of what is projected. */
const logDamaged = (file: string): EngineUnavailable =>
  new EngineUnavailable(`${file} is damaged. Stop the service, and restore it from a backup: nothing else holds it.`);

/** Reads contents through a connection to the log. */
export function textsIn(database: SqliteDatabase): ContentReader & BytesReader {
  const select: Statement<[string, Buffer], ChunkRow> = database
    .prepare<[string, Buffer], ChunkRow>(
      `SELECT c.text, c.chunks FROM streams s CROSS JOIN contents c ON c.stream = s.id
       WHERE s.name = ? AND c.sha256 = ? ORDER BY c.chunk`,
    )
    .raw();
  const count: Statement<[string, Buffer], ChunkCount> = database.prepare<[string, Buffer], ChunkCount>(
    `SELECT count(*) AS found, max(c.chunks) AS chunks FROM streams s CROSS JOIN contents c ON c.stream = s.id
     WHERE s.name = ? AND c.sha256 = ?`,
  );
  const selectChunk: Statement<[string, Buffer, number], Buffer> = database
    .prepare<[string, Buffer, number], Buffer>(
      `SELECT CAST(c.text AS BLOB) FROM streams s CROSS JOIN contents c ON c.stream = s.id
       WHERE s.name = ? AND c.sha256 = ? AND c.chunk = ?`,
    )
    .pluck();
  return {
    read: async (key) => joinChunks(select.all(...contentRow(key))),
    readBytes: async (key) => {
      const row = contentRow(key);
      const { found, chunks } = count.get(...row) ?? { found: 0, chunks: null };
      return chunks === null || found !== chunks ? null : eachChunk(chunks, (index) => selectChunk.get(...row, index));
    },
  };
}

async function* eachChunk(
  chunks: number,
  select: (index: number) => Buffer | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  for (let index = 0; index < chunks; index++) {
    const chunk = select(index);
    if (chunk === undefined) throw new ContentErased();
    yield chunk;
  }
}

const contentRow = ({ stream, reference }: ContentKey): [stream: string, sha256: Buffer] => [
  stream,
  Buffer.from(reference.sha256, "hex"),
];

/** A text whose erasure has begun lacks chunks, and counts as erased. */
function joinChunks(rows: readonly ChunkRow[]): string | null {
  const first = rows[0];
  if (first === undefined || rows.length !== first[1]) return null;
  return rows.length === 1 ? first[0] : rows.map(([text]) => text).join("");
}
