import { join } from "node:path";
import { groupClosure } from "../../projections/groupClosure/project.js";
import { createGroupClosureWriter } from "../../projections/groupClosure/groupClosureWriter.js";
import { openSqliteReadModelStores } from "../../src/adapters/store/sqlite/openSqliteReadModelStores.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import type { StreamName } from "../../src/events/streams.js";
import { toPosition } from "../../src/shared/position.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";

export const tokens = new PrincipalTokens("bench");

/** As many events as the service projects at a time. */
export const batchSize = 1_000;

export const readModelsIn = (folder: string): string => join(folder, "readModels.sqlite");
export function openWriters(folder: string) {
  const stores = openSqliteReadModelStores({ file: readModelsIn(folder) });
  const writer = createGroupClosureWriter({ store: stores.groupClosure, tokens });
  return { groupClosure: writer, close: () => stores.close() };
}

/**
 * Projects events into the group closure as if they had been read from a log, in batches that know that more is to
 * come.
 */
export class Projecting {
  private readonly writers;
  private position = 0;

  constructor(folder: string) {
    this.writers = openWriters(folder);
  }

  async project(events: readonly DomainEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += batchSize) {
      const recorded = events.slice(from, from + batchSize).map((event, index) => this.record(event, index));
      const after = toPosition(this.position);
      this.position += recorded.length;
      const changes = recorded.flatMap((event) => groupClosure.project(event));
      const moreToCome = from + batchSize < events.length;
      await this.writers.groupClosure.apply({
        after,
        position: toPosition(this.position),
        changes,
        parked: [],
        moreToCome,
      });
    }
  }

  close(): void {
    this.writers.close();
  }

  private record(event: DomainEvent, index: number): RecordedEvent {
    const metadata = { at: "2026-01-01T00:00:00.000Z", by: "operator", correlationId: "", causationId: "" } as const;
    return {
      id: "",
      stream: "groupGraph-organisation" as StreamName,
      revision: 0,
      position: toPosition(this.position + index + 1),
      event,
      metadata,
    };
  }
}
