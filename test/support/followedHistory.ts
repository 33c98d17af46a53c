import { join } from "node:path";
import type { PermissionHistoryChange } from "../../projections/permissionHistory/ports.js";
import { createPermissionHistoryWriter } from "../../projections/permissionHistory/readModel.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import type { EventSource, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import type { ComparedHistory } from "../../src/operations/verify/history/comparison.js";
import { openSqliteHistoryClock } from "../../src/adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { openSqlitePermissionHistory } from "../../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistory.js";
import { openSqlitePermissionHistoryStore } from "../../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { datasourceIn, standInFor } from "../../src/adapters/log/unreadableEvents.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { beginning } from "../../src/shared/position.js";
import type { GrowingLog } from "./growingLog.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** The log, as a program sees it that cannot read some of its events. */
export const readBy = (log: GrowingLog, cannotRead: (event: RecordedEvent) => boolean): EventSource => ({
  head: () => log.head(),
  holds: (checkpoint, categories) => log.holds(checkpoint, categories),
  async *subscribe(request) {
    for await (const batch of log.subscribe(request))
      yield { ...batch, events: batch.events.map((event) => (cannotRead(event) ? unread(event) : event)) };
  },
});

function unread(event: RecordedEvent): RecordedEvent {
  const {
    id,
    stream,
    revision,
    position,
    event: { type, data },
    metadata: { at },
  } = event;
  const datasourceId = stream.startsWith("datasource-") ? datasourceIn(data) : null;
  return standInFor(
    { id, stream, revision, position, type, at, data, reason: new Error("It is of tomorrow.") },
    datasourceId,
  );
}

/** A permission history in a file of its own, for a projection to write to and for others to ask. */
export class FollowedHistory {
  private readonly folder = temporaryFolder("followed-history");
  readonly file = join(this.folder.path, "permissionHistory.sqlite");
  private readonly store = openSqlitePermissionHistoryStore({ file: this.file });
  readonly writer: ProjectionWriter<PermissionHistoryChange> = createPermissionHistoryWriter(this.store);
  readonly history = openSqlitePermissionHistory({ file: this.file });
  readonly clock = openSqliteHistoryClock({
    file: this.file,
    logHead: () => Promise.resolve(beginning),
    patienceMs: 1_000,
  });

  /** Lets the projection follow a log to its end, as a service does. `cannotApply` tells events that it has to park. */
  async follow(log: GrowingLog, cannotApply?: (event: RecordedEvent) => boolean): Promise<void> {
    const stopping = new AbortController();
    const run = runProjection({
      projection: permissionHistory,
      writer: this.writer,
      source: cannotApply === undefined ? log : readBy(log, cannotApply),
      signal: stopping.signal,
      maxBatchSize: 7,
      retryDelayMs: 10,
      onParked: () => undefined,
      onFailure: (error) => {
        throw error;
      },
    });
    await Promise.race([run, this.clock.reached(log.end, 20_000)]);
    stopping.abort();
    await run;
  }

  /** As those ask it who prove it. */
  open(): ComparedHistory & { close(): void } {
    return { history: this.history, clock: this.clock, close: () => undefined };
  }

  close(): void {
    this.history.close();
    this.clock.close();
    this.store.close();
    this.folder.remove();
  }
}
