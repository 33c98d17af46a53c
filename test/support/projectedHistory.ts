import { join } from "node:path";
import Database from "better-sqlite3";
import { createPermissionHistoryWriter } from "../../projections/permissionHistory/readModel.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import type { ProjectionWriter } from "../../projections/ports.js";
import type { PermissionHistoryChange } from "../../projections/permissionHistory/ports.js";
import { HistoryPages } from "../../src/audit/asOf/historyPages.js";
import type { ExplainedFact } from "../../src/audit/auditFacts.js";
import type { HistoryQuestion } from "../../src/audit/historyQuestions.js";
import type { PermissionHistory } from "../../src/audit/ports/permissionHistory.js";
import { openSqlitePermissionHistory } from "../../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistory.js";
import { openSqlitePermissionHistoryStore } from "../../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { toPosition, type Position } from "../../src/shared/position.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { formatScope } from "../../src/events/scope.js";

/** A permission history in a file of its own, which a test projects to and asks. */
export class ProjectedHistory {
  readonly file: string;
  readonly history: PermissionHistory & { close(): void };
  private readonly folder = temporaryFolder("permission-history");
  private readonly database;
  private store;
  private writer: ProjectionWriter<PermissionHistoryChange>;

  constructor(private readonly heldBack?: number) {
    this.file = join(this.folder.path, "permissionHistory.sqlite");
    this.store = openSqlitePermissionHistoryStore({ file: this.file });
    this.writer = createPermissionHistoryWriter(this.store, heldBack);
    this.history = openSqlitePermissionHistory({ file: this.file });
    this.database = new Database(this.file);
  }

  checkpoint(): Promise<Position> {
    return this.store.checkpoint();
  }

  /** Applies events in one batch, after whatever was applied before. */
  async project(events: readonly RecordedEvent[]): Promise<"applied" | "checkpointConflict"> {
    const after = await this.writer.checkpoint();
    return this.apply(after, events, false);
  }

  /** Applies events after a position, as part of a catch-up where more is to come. */
  apply(
    after: Position,
    events: readonly RecordedEvent[],
    moreToCome: boolean,
  ): Promise<"applied" | "checkpointConflict"> {
    const changes = events.flatMap((event) => permissionHistory.project(event));
    return this.writer.apply({ after, position: events.at(-1)?.position ?? after, changes, parked: [], moreToCome });
  }

  /** What becomes of an event that cannot be applied. */
  async park(event: RecordedEvent): Promise<void> {
    const { scope, changes } = permissionHistory.failClosed(event);
    const parked = [
      {
        position: event.position,
        stream: event.stream,
        eventType: event.event.type,
        scope: formatScope(scope),
        error: "It cannot be read.",
      },
    ];
    await this.writer.apply({ after: await this.writer.checkpoint(), position: event.position, changes, parked });
  }

  /** Every item of an answer, taken in pages of this size. */
  ask<Item>(
    question: HistoryQuestion,
    position: number,
    count = 1_000,
  ): {
    readonly items: readonly Item[];
    readonly total: number | undefined;
    readonly about: ExplainedFact | undefined;
  } {
    // Each look at this clock is late for the next page: so pages end early, and empty ones come between.
    let time = 0;
    const pages = new HistoryPages(this.history, () => (time += 100));
    const items: object[] = [];
    for (;;) {
      const page = pages.page({ question, position, offset: items.length, count });
      if (!page.ok) throw new Error(page.error.type);
      items.push(...page.value.items);
      if (!page.value.hasMore) return { items: items as Item[], total: page.value.total, about: page.value.about };
    }
  }

  /** The writer dies and is started again. */
  restart(): void {
    this.store.close();
    this.store = openSqlitePermissionHistoryStore({ file: this.file });
    this.writer = createPermissionHistoryWriter(this.store, this.heldBack);
  }

  /** As new: to open a file for each of thousands of histories takes longer than what is done with them. */
  async clear(): Promise<void> {
    const tables = this.database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    this.database.transaction(() => tables.forEach((table) => this.database.exec(`DELETE FROM ${table}`)))();
    // As after another process has written: the writer forgets what it knew.
    await this.store.write({ after: toPosition(1), position: toPosition(1), changes: [], parked: [] }, false);
  }

  close(): void {
    this.history.close();
    this.store.close();
    this.database.close();
    this.folder.remove();
  }
}
