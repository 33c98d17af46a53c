import type { SqliteDatabase } from "./database.js";

/**
 * Tells a reader whether what it remembers of a file is still right, and lets it read several rows as of one moment.
 *
 * The look at the file takes locks, which cost more than an answer from memory does; so it is done once per turn of the
 * event loop, and a commit of another thread or process counts from the next turn on, or from {@link lookAgain}.
 */
export class Snapshots {
  private readonly select;
  private readonly transaction;
  private seen: number | null = null;
  private readonly forget = (): void => {
    this.seen = null;
  };

  constructor(database: SqliteDatabase) {
    this.select = database.prepare<[], number>("PRAGMA data_version").pluck();
    this.transaction = database.transaction((read: () => unknown) => {
      this.look();
      return read();
    });
  }

  /** Differs from commit to commit of any other connection. Within {@link take}: that of the snapshot. */
  version(): number {
    return this.seen ?? this.look();
  }

  /** Everything that `read` reads is of one moment, the newest. It must not wait for anything. */
  take<Value>(read: () => Value): Value {
    return this.transaction(read) as Value;
  }

  /** For who has learned of a commit: {@link version} tells of it from now on. */
  lookAgain(): void {
    this.seen = null;
  }

  private look(): number {
    if (this.seen === null) setImmediate(this.forget);
    this.seen = this.select.get() ?? 0;
    return this.seen;
  }
}
