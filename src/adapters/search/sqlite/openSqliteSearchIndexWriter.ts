import type {
  AnalyseDocument,
  Embedder,
  SearchIndexBatch,
  SearchIndexWriter,
} from "../../../../projections/search/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { beginning, type Position } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForWriting, type SqliteDatabase } from "../../sqlite/database.js";
import { VectorFollower } from "../vectorFollower.js";
import { Counters } from "./counters.js";
import { DatasourceRows } from "./datasourceRows.js";
import { DocumentRows } from "./documentRows.js";
import { PendingWork } from "./pendingWork.js";
import { searchProjectionName, searchSchema } from "./schema.js";
import { EarlierVectorsInFile } from "./vectors/earlierVectors.js";
import { VectorRows, type UnembeddedRow } from "./vectors/vectorRows.js";

export interface SqliteSearchIndexWriterOptions {
  readonly file: string;
  /** Analyses a document again when the searched properties of its datasource have changed. */
  readonly analyse: AnalyseDocument;
  /**
   * Called when a step of the work that a change of a datasource left behind has failed (a full disk, a locked file).
   */
  onFailure(error: unknown): void;
  /**
   * How many removed documents stay listed for readers; 100,000 where left out. A reader that is further behind loads
   * everything anew.
   */
  readonly listedRemovals?: number;
  /**
   * For a file that nobody serves or writes to yet. During a catch-up a transaction may stay open for this many
   * milliseconds. That saves FTS5 most of its merging, and costs as much work where the process dies. Left out: every
   * batch is committed at once.
   */
  readonly holdsMs?: number | null;
  /** Makes vectors of documents, after they were written; null or left out: there are none. */
  readonly embedder?: Embedder | null;
  /** The file of another version, whose vectors are taken over where they are of the same; null or left out: none. */
  readonly earlierFile?: string | null;
  /** Called with the reason why vectors could not be made; they are tried again. */
  onEmbedderFailure?(error: unknown): void;
  /** After so long for the first time; a second where left out. */
  readonly embedderPauseMs?: number;
  /** Called when the file was of an older version and was emptied: the log has to be projected again. */
  onEmptied?(): void;
}

/** Opens the search index for writing, in the calling thread. Several processes may: the checkpoint decides. */
export const openSqliteSearchIndexWriter = (
  options: SqliteSearchIndexWriterOptions,
): SearchIndexWriter & { close(): void } => new SqliteSearchIndexWriter(options);

class SqliteSearchIndexWriter implements SearchIndexWriter {
  private readonly database: SqliteDatabase;
  private readonly checkpoints: Checkpoints;
  private readonly signal: ChangeSignal;
  private readonly counters: Counters;
  private readonly datasources: DatasourceRows;
  /** null for a file that nobody reads yet. */
  private readonly documents: DocumentRows;
  private readonly pending: PendingWork;
  private readonly vectors: VectorFollower<UnembeddedRow> | null;
  private readonly onFailure: (error: unknown) => void;
  private readonly holdsMs: number | null;
  private heldSince = 0;
  /** After a fault nothing is held until its position has passed, so that the batch at fault is found alone. */
  private holdNothingUntil: Position = beginning;
  private nextStep: NodeJS.Immediate | null = null;
  private isClosed = false;

  constructor({
    file,
    analyse,
    onFailure,
    listedRemovals = 100_000,
    holdsMs = null,
    onEmptied = () => undefined,
    embedder = null,
    earlierFile = null,
    onEmbedderFailure = onFailure,
    embedderPauseMs: firstPauseMs,
  }: SqliteSearchIndexWriterOptions) {
    this.database = openForWriting({ file, schema: searchSchema, durability: "rebuildable", onEmptied });
    this.database.pragma("cache_size = -32000");
    this.database.pragma("wal_autocheckpoint = 4000");
    this.holdsMs = holdsMs;
    this.checkpoints = new Checkpoints(this.database, searchProjectionName);
    this.signal = new ChangeSignal(file);
    this.counters = new Counters(this.database);
    this.datasources = new DatasourceRows(this.database, this.counters);
    const { database, counters, datasources } = this;
    this.documents = new DocumentRows({ database, counters, datasources, listedRemovals });
    this.pending = new PendingWork(this.database, this.documents, analyse);
    this.onFailure = onFailure;
    const announce = (): void => this.signal.announce();
    this.vectors =
      embedder &&
      new VectorFollower({
        store: new VectorRows(database, embedder.model),
        earlier: earlierFile === null ? null : new EarlierVectorsInFile(earlierFile, embedder.model),
        ...{ embedder, announce, onFailure: onEmbedderFailure, firstPauseMs },
      });
    this.continueLater();
    this.vectors?.wake();
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async searchableProperties(
    datasources: readonly DatasourceId[],
  ): Promise<ReadonlyMap<DatasourceId, ReadonlySet<string>>> {
    const known = new Map<DatasourceId, ReadonlySet<string>>();
    for (const id of datasources) {
      const row = this.datasources.find(id);
      if (row !== null) known.set(id, new Set(JSON.parse(row.searchable) as string[]));
    }
    return known;
  }

  async write(batch: SearchIndexBatch): Promise<"applied" | "checkpointConflict"> {
    const outcome = this.guarded(
      () => (this.holdsMs === null ? this.commit(batch) : this.hold(batch, this.holdsMs)),
      batch.position,
    );
    if (outcome === "applied" && !this.database.inTransaction) this.signal.announce();
    this.continueLater();
    this.vectors?.wake();
    return outcome;
  }

  close(): void {
    if (this.nextStep !== null) clearImmediate(this.nextStep);
    this.isClosed = true;
    this.vectors?.close();
    this.signal.close();
    try {
      this.checkpoints.commitHeld();
    } catch (error) {
      // What is lost with it is delivered again.
      this.onFailure(error);
    }
    this.database.close();
  }

  private commit(batch: SearchIndexBatch): "applied" | "checkpointConflict" {
    const outcome = this.checkpoints.commit({ ...batch, changes: [] }, () => this.applyChanges(batch));
    if (outcome === "checkpointConflict") this.documents.vocabulary.forget();
    return outcome;
  }

  private hold(batch: SearchIndexBatch, holdsMs: number): "applied" | "checkpointConflict" {
    if (!this.database.inTransaction) this.heldSince = performance.now();
    const outcome = this.checkpoints.hold({ ...batch, changes: [] }, () => this.applyChanges(batch));
    if (outcome === "checkpointConflict") this.documents.vocabulary.forget();
    const mayStay =
      batch.moreToCome === true &&
      batch.position > this.holdNothingUntil &&
      performance.now() - this.heldSince < holdsMs;
    if (!mayStay) this.checkpoints.commitHeld();
    return outcome;
  }

  private applyChanges({ datasources, documents }: SearchIndexBatch): void {
    this.changeRows(() => {
      for (const change of datasources) this.datasources.apply(change);
      for (const change of documents) {
        if (change.kind === "put") this.documents.put(change.prepared);
        else this.documents.remove(change.datasourceId, change.documentId);
      }
      if (datasources.length > 0) this.pending.step();
    });
  }

  private changeRows(change: () => void): void {
    this.counters.load();
    change();
    this.counters.save();
  }

  /** Runs a transaction. If it fails, everything that was remembered during it is forgotten. */
  private guarded<Answer>(transaction: () => Answer, position: Position = beginning): Answer {
    try {
      return transaction();
    } catch (error) {
      this.documents.vocabulary.forget();
      if (position > this.holdNothingUntil) this.holdNothingUntil = position;
      throw error;
    }
  }

  /** Goes on with pending work while the thread has nothing else to do. After a failure the next write tries again. */
  private continueLater(): void {
    if (this.isClosed || this.nextStep !== null || !this.isWorkLeft()) return;
    this.nextStep = setImmediate(() => {
      this.nextStep = null;
      try {
        this.guarded(() => this.takeStep());
      } catch (error) {
        return this.onFailure(error);
      }
      this.signal.announce();
      this.vectors?.wake();
      this.continueLater();
    });
  }

  /** While a transaction is held, words are left for later: see {@link DoubtedWords}. */
  private isWorkLeft(): boolean {
    return this.pending.isLeft() || (!this.database.inTransaction && this.documents.doubted.areLeft());
  }

  private takeStep(): void {
    const step = (): void => (this.pending.isLeft() ? this.pending.step() : this.documents.doubted.step());
    this.database.transaction(() => this.changeRows(step)).immediate();
  }
}
