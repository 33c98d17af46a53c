import {
  EngineUnavailable,
  type ParkedEvent,
  type ProjectionBatch,
  type ParkedEvents,
} from "../../../projections/ports.js";
import { landmarkUpTo, type Checkpoint } from "../../events/eventSource.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import type { SqliteDatabase } from "./database.js";
import Database from "better-sqlite3";

/** Part of the schema of every file that holds a read model. */
export const checkpointTables = `
  CREATE TABLE IF NOT EXISTS checkpoints (
    projection TEXT PRIMARY KEY, position INTEGER NOT NULL, landmark INTEGER, event TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parked_events (
    projection TEXT NOT NULL, position INTEGER NOT NULL, stream TEXT NOT NULL, event_type TEXT NOT NULL,
    scope TEXT NOT NULL, error TEXT NOT NULL, PRIMARY KEY (projection, position)
  ) WITHOUT ROWID;`;

/** A projection's checkpoint and parked events, kept beside its rows so that one transaction holds them all. */
export class Checkpoints {
  private readonly select;
  private readonly upsert;
  private readonly park;
  private readonly unpark;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly projection: string,
  ) {
    this.select = database
      .prepare<[string], { position: bigint }>("SELECT position FROM checkpoints WHERE projection = ?")
      .safeIntegers();
    if (database.readonly) return;
    addLandmarks(database);
    this.upsert = database.prepare(
      `INSERT INTO checkpoints (projection, position, landmark, event) VALUES (?, ?, ?, ?) ON CONFLICT (projection)
       DO UPDATE SET position = excluded.position, landmark = ifnull(excluded.landmark, landmark), event = ifnull(excluded.event, event)`,
    );
    this.park = database.prepare("INSERT OR REPLACE INTO parked_events VALUES (?, ?, ?, ?, ?, ?)");
    this.unpark = database.prepare("DELETE FROM parked_events WHERE projection = ? AND scope = ?");
  }

  /** `beginning` where nothing was projected yet. */
  read(): Position {
    const row = this.select.get(this.projection);
    return row === undefined ? beginning : toPosition(row.position);
  }

  /**
   * Runs `applyChanges` and advances the checkpoint in one immediate transaction. `checkpointConflict`, with nothing
   * written, where another process has projected on since. Throws `EngineUnavailable` where the disk, a lock or the
   * file is at fault.
   */
  commit(batch: ProjectionBatch<unknown>, applyChanges: () => void): "applied" | "checkpointConflict" {
    const transaction = this.database.transaction(() => this.apply(batch, applyChanges));
    return naming(() => transaction.immediate());
  }

  /**
   * Commits in a transaction that stays open for the next batches until {@link commitHeld}. Only for a file that
   * nobody else writes to. If it fails, or another process has projected on since, all that was held is gone.
   */
  hold(batch: ProjectionBatch<unknown>, applyChanges: () => void): "applied" | "checkpointConflict" {
    return naming(() => {
      let outcome: "applied" | "checkpointConflict" = "checkpointConflict";
      try {
        if (!this.database.inTransaction) this.database.exec("BEGIN IMMEDIATE");
        outcome = this.apply(batch, applyChanges);
      } finally {
        if (outcome === "checkpointConflict" && this.database.inTransaction) this.database.exec("ROLLBACK");
      }
      return outcome;
    });
  }

  /** Commits what is held, if anything is. */
  commitHeld(): void {
    if (this.database.inTransaction) naming(() => this.database.exec("COMMIT"));
  }

  private apply(batch: ProjectionBatch<unknown>, applyChanges: () => void): "applied" | "checkpointConflict" {
    if (this.read() !== batch.after) return "checkpointConflict";
    applyChanges();
    for (const scope of batch.restored ?? []) this.unpark?.run(this.projection, scope);
    for (const event of batch.parked) this.recordParked(event);
    const landmark = landmarkUpTo(batch.landmarks ?? [], batch.position);
    this.upsert?.run(this.projection, batch.position, landmark?.position ?? null, landmark?.id ?? null);
    return "applied";
  }

  private recordParked(event: ParkedEvent): void {
    this.park?.run(this.projection, event.position, event.stream, event.eventType, event.scope, event.error);
  }
}

interface CheckpointRow {
  readonly position: bigint;
  readonly landmark?: bigint | null;
  readonly event?: string | null;
}

/**
 * A projection's checkpoint with its landmark; the beginning where nothing was projected yet. Prepared anew each time:
 * an older program made the table without landmarks, and the projection's writer adds them.
 */
export function readCheckpoint(database: SqliteDatabase, projection: string): Checkpoint {
  const row = database
    .prepare<[string], CheckpointRow>("SELECT * FROM checkpoints WHERE projection = ?")
    .safeIntegers()
    .get(projection);
  if (row === undefined) return { position: beginning, landmark: null };
  const { position, landmark, event } = row;
  const isKnown = typeof landmark === "bigint" && typeof event === "string";
  return {
    position: toPosition(position),
    landmark: isKnown ? { position: toPosition(landmark), id: event } : null,
  };
}

/** To a file that an older program made. */
function addLandmarks(database: SqliteDatabase): void {
  const areThere = database.prepare("SELECT 1 FROM pragma_table_info('checkpoints') WHERE name = 'event'").pluck();
  if (areThere.get() === 1) return;
  const add = database.transaction(() => {
    if (areThere.get() === 1) return;
    database.exec("ALTER TABLE checkpoints ADD COLUMN landmark INTEGER; ALTER TABLE checkpoints ADD COLUMN event TEXT");
  });
  add.immediate();
}

/** Turns an error that is the engine's fault into `EngineUnavailable`. */
function naming<Answer>(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    throw isEngineFailure(error) ? new EngineUnavailable(error.message, { cause: error }) : error;
  }
}

const faultsOfTheEvent = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/;

function isEngineFailure(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError && !faultsOfTheEvent.test(error.code);
}

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
