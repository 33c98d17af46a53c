import type { SqliteDatabase } from "./database.js";

/**
 * Tells a reader whether what it remembers of a file is still right, and lets it read several rows as of one moment.
 *
 * Looking at the file takes locks, which cost more than an answer from memory. So it is done once per turn of the event
 * loop. A commit of another thread or process counts from the next turn on, or from {@link lookAgain}.
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

  /** A number that changes with every commit of another connection. Within {@link take} it is the snapshot's. */
  version(): number {
    return this.seen ?? this.look();
  }

  /** Everything that `read` reads is of one moment, the newest. `read` must not wait for anything. */
  take<Value>(read: () => Value): Value {
    return this.transaction(read) as Value;
  }

  /** To be called when a commit has become known: {@link version} counts it from now on. */
  lookAgain(): void {
    this.seen = null;
  }

  private look(): number {
    if (this.seen === null) setImmediate(this.forget);
    this.seen = this.select.get() ?? 0;
    return this.seen;
  }
}
