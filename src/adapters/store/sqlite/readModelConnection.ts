import type { Checkpointed } from "../../../../queries/ports.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { Snapshots } from "../../sqlite/snapshots.js";
import { readModelFile } from "./readModelSchema.js";

/**
 * A read-only connection to `readModels.sqlite`, with what readers need to know whether their memory is still right.
 */
export class ReadModelConnection {
  readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly snapshots: Snapshots;

  /** Creates the file where it is missing. */
  constructor(file: string) {
    this.database = openForReading(readModelFile(file));
    this.changed = new ChangeSignal(file);
    this.snapshots = new Snapshots(this.database);
  }

  /** Differs from commit to commit, as of this turn of the event loop. Within a snapshot it is the snapshot's. */
  dataVersion(): number {
    return this.snapshots.version();
  }

  /** Everything that `read` reads is of one moment, the newest. `read` must not wait for anything. */
  snapshot<Value>(read: () => Value): Value {
    return this.snapshots.take(read);
  }

  progressOf(projection: string): Checkpointed {
    const checkpoints = new Checkpoints(this.database, projection);
    return {
      position: async () => checkpoints.read(),
      reached: async (position, timeoutMs) => {
        const hasReached = await this.changed.until(() => checkpoints.read() >= position, timeoutMs);
        this.snapshots.lookAgain();
        return hasReached;
      },
    };
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }
}
