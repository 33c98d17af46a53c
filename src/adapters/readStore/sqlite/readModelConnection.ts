import type { Projected } from "../../../../queries/ports.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { readModelFile } from "./readModelSchema.js";

/** A read-only connection to `readModels.sqlite`, with what readers need to know that their memory is still right. */
export class ReadModelConnection {
  readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly selectDataVersion;
  private readonly transaction;

  /** Creates the file where it is missing. */
  constructor(file: string) {
    this.database = openForReading(readModelFile(file));
    this.changed = new ChangeSignal(file);
    this.selectDataVersion = this.database.prepare<[], number>("PRAGMA data_version").pluck();
    this.transaction = this.database.transaction((read: () => unknown) => read());
  }

  /** Changes with every commit of any other thread or process; a microsecond. Within a snapshot: the snapshot's. */
  dataVersion(): number {
    return this.selectDataVersion.get() ?? 0;
  }

  /** Everything that `read` reads is of one moment. It must not wait for anything. */
  snapshot<Value>(read: () => Value): Value {
    return this.transaction(read) as Value;
  }

  projected(projection: string): Projected {
    const checkpoints = new Checkpoints(this.database, projection);
    return {
      position: async () => checkpoints.read(),
      reached: (position, timeoutMs) => this.changed.until(() => checkpoints.read() >= position, timeoutMs),
    };
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }
}
