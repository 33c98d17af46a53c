import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContentEraser, ContentKey } from "../../../../projections/ports.js";
import { documentStream } from "../../../events/streams.js";
import { toDocumentId, type DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { EraserConnection } from "./eraserConnection.js";

interface Erasure {
  readonly stream: string;
  readonly sha256: Buffer;
  readonly before: Position;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Erases texts, with `secure_delete`: what is deleted is overwritten with zeros in the database file, free pages
 * included. The zeros reach the file with the next checkpoint: after 16 MiB of writing, after the erasure of a
 * datasource, and when the log is closed. Old frames of the WAL are overwritten when it is used again from its start.
 * They are gone once the WAL is truncated, after the erasure of a datasource and when the log is closed.
 *
 * Erasures that are asked for together share transactions and one sync of the disk.
 */
export class SqliteContentEraser implements ContentEraser {
  private connection: EraserConnection | null = null;
  private queue: Erasure[] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly file: string) {}

  erase(key: ContentKey, before: Position): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stream, reference } = key;
      this.queue.push({ stream, sha256: Buffer.from(reference.sha256, "hex"), before, resolve, reject });
      if (this.queue.length === 1) void this.inTurn(() => this.eraseQueued());
    });
  }

  eraseDatasource(datasourceId: DatasourceId): Promise<void> {
    return this.inTurn(async () => {
      const connection = this.connect();
      const prefix = documentStream(datasourceId, toDocumentId(""));
      for (let after: string | undefined = prefix; after !== undefined;)
        after = await connection.eraseNextStreams(prefix, after);
      await connection.emptyWal();
    });
  }

  async close(): Promise<void> {
    await this.running;
    this.connection?.close();
    this.connection = null;
  }

  private async eraseQueued(): Promise<void> {
    await nextTurn();
    const erasures = this.queue;
    this.queue = [];
    try {
      await this.connect().eraseTexts(erasures);
      for (const { resolve } of erasures) resolve();
    } catch (error) {
      for (const { reject } of erasures) reject(error);
    }
  }

  /** One after the other: there is one connection. */
  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.running.then(work);
    this.running = done.catch(() => undefined);
    return done;
  }

  private connect(): EraserConnection {
    this.connection ??= new EraserConnection(this.file);
    return this.connection;
  }
}
