import type { RecordedEvent } from "../../events/domainEvent.js";
import { type EventSource, readUpTo } from "../../events/eventSource.js";
import { beginning, type Position } from "../../shared/position.js";

const maxBatchSize = 500;

/** What the datasources are called that events belong to, deleted ones too: an event names the incarnation's id. */
export class DatasourceNames {
  private readonly names = new Map<string, string>();
  private read: Position = beginning;

  constructor(private readonly log: Pick<EventSource, "subscribe" | "head">) {}

  /**
   * null: it belongs to none. A registration stands before whatever belongs to it, so the log is read on at most once.
   */
  async nameFor({ event: { data } }: RecordedEvent): Promise<string | null> {
    if (!("datasourceId" in data)) return null;
    const { datasourceId } = data;
    if (!this.names.has(datasourceId)) await this.readOn();
    return this.names.get(datasourceId) ?? null;
  }

  private async readOn(): Promise<void> {
    const upTo = await this.log.head();
    const stretch = { log: this.log, after: this.read, upTo, categories: ["datasource"] as const, maxBatchSize };
    for await (const { events } of readUpTo(stretch))
      for (const { event } of events)
        if (event.type === "DatasourceRegistered") this.names.set(event.data.datasourceId, event.data.name);
    this.read = upTo;
  }
}
