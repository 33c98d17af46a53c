import type { FactOrigin } from "../../../../projections/permissionHistory/changes.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Interning } from "./interning.js";
import { subjectKinds } from "./permissionHistorySchema.js";

/** Whose stream an event stands in, where the rows know that by a number. */
export interface Subject {
  readonly kind: (typeof subjectKinds)["person" | "generation" | "document"];
  readonly number: number;
}

/** Keeps where each fact comes from, and the log's clock. */
export class OriginRows {
  private readonly insertOrigin;
  private readonly selectLatest;
  /** The latest time on any event so far; undefined: to be read. */
  private latest: number | undefined;

  constructor(
    database: SqliteDatabase,
    private readonly interning: Interning,
  ) {
    this.insertOrigin = database.prepare<unknown[]>("INSERT INTO origins VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.selectLatest = database.prepare<[], number>("SELECT latest FROM origins ORDER BY position DESC LIMIT 1").pluck();
  }

  /** As `Interning.forget`. */
  forget(): void {
    this.latest = undefined;
  }

  record({ position, category, streamId, revision, type, at, by }: FactOrigin, subject: Subject | null): void {
    const before = this.latest ?? this.selectLatest.get() ?? 0;
    const latest = at !== null && at > before ? at : before;
    const stream = subject === null ? `${category}-${streamId}` : null;
    const [kind, number] = [subject?.kind ?? subjectKinds.stream, subject?.number ?? null];
    this.insertOrigin.run(position, kind, number, stream, revision, this.interning.word(type), this.interning.word(by), latest, at === latest ? null : at);
    this.latest = latest;
  }
}
