import type { EventOrigin } from "../../../../projections/permissionHistory/changes.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Interning } from "./interning.js";
import { subjectKinds } from "./permissionHistorySchema.js";
import type { StreamSubject } from "./streamSubject.js";

/** Keeps where each fact comes from, and the log's clock. */
export class OriginRows {
  private readonly insertOrigin;
  private readonly replaceOrigin;
  private readonly selectLatest;
  private readonly selectBefore;
  private readonly deleteBetween;
  /** The latest time on any event so far; undefined where it has to be read first. */
  private latest: number | undefined;
  /** The last event so far, while all rows are written afresh. */
  private restoredUpTo: bigint | null = null;

  constructor(
    database: SqliteDatabase,
    private readonly interning: Interning,
  ) {
    const insert =
      "INSERT INTO origins (position, kind, subject, stream, revision, type, by, latest, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const columns = ["kind", "subject", "stream", "revision", "type", "by", "latest", "at"];
    const row = (prefix: string): string => `(${columns.map((column) => `${prefix}${column}`).join()})`;
    this.insertOrigin = database.prepare<unknown[]>(`${insert} ON CONFLICT DO NOTHING`);
    this.replaceOrigin = database.prepare<unknown[]>(
      `${insert} ON CONFLICT DO UPDATE SET ${row("")} = ${row("excluded.")} WHERE ${row("origins.")} IS NOT ${row("excluded.")}`,
    );
    this.selectLatest = database
      .prepare<[], number>("SELECT latest FROM origins ORDER BY position DESC LIMIT 1")
      .pluck();
    this.selectBefore = database
      .prepare<unknown[], number>("SELECT latest FROM origins WHERE position < ? ORDER BY position DESC LIMIT 1")
      .pluck();
    this.deleteBetween = database.prepare<unknown[]>("DELETE FROM origins WHERE position > ? AND position < ?");
  }

  /** See {@link Interning.forget}. */
  forget(): void {
    this.latest = undefined;
    this.restoredUpTo = null;
  }

  /** For when the log goes on. An event that is there already, and is parked now, stays. */
  record(origin: EventOrigin, subject: StreamSubject | null): void {
    const before = this.latest ?? this.selectLatest.get() ?? 0;
    this.latest = this.write(this.insertOrigin, origin, subject, before);
  }

  /** All rows are written afresh from here on: rows between two events that follow each other are stale. */
  beginAnew(): void {
    this.restoredUpTo = 0n;
  }

  /** Writes the row whatever is there. The clock goes on from the event before. */
  recordAnew(origin: EventOrigin, subject: StreamSubject | null): void {
    const { position } = origin;
    if (this.restoredUpTo !== null) {
      this.deleteBetween.run(this.restoredUpTo, position);
      this.restoredUpTo = position;
    }
    this.write(this.replaceOrigin, origin, subject, this.selectBefore.get(position) ?? 0);
    this.latest = undefined;
  }

  /** Returns what the clock shows there. */
  private write(
    statement: typeof this.insertOrigin,
    { position, category, streamId, revision, type, at, by }: EventOrigin,
    subject: StreamSubject | null,
    before: number,
  ): number {
    const latest = at !== null && at > before ? at : before;
    const stream = subject === null ? `${category}-${streamId}` : null;
    const [kind, number] = [subject?.kind ?? subjectKinds.stream, subject?.number ?? null];
    statement.run(
      position,
      kind,
      number,
      stream,
      revision,
      this.interning.word(type),
      this.interning.word(by),
      latest,
      at === latest ? null : at,
    );
    return latest;
  }
}
