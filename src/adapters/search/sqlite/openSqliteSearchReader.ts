import { availableParallelism } from "node:os";
import type { ParkedEvents } from "../../../../projections/ports.js";
import type {
  Counted,
  HeldDocument,
  HeldPage,
  SearchReader,
  SearchRequest,
  StoredDocument,
  SuggestRequest,
} from "../../../../queries/ports.js";
import type { SearchPage, TextPart, Suggestion } from "../../../readModels/search.js";
import type { DatasourceName, DocumentId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ThreadWatch } from "../../../shared/restartedWorker.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { parkedEventsIn } from "../../sqlite/parkedEvents.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { PointReads } from "./pointReads.js";
import { searchProjectionName, searchSchema } from "./schema.js";
import { usualBudget, type SearchBudgetOptions } from "./searchBudget.js";
import type { SearchThreadData } from "./searchThreadMessages.js";
import { SearchThreads } from "./searchThreads.js";
import { VectorCounts } from "./vectors/vectorState.js";

export interface SqliteSearchReaderOptions {
  readonly file: string;
  /** Memory for words that were asked for lately. 256 MiB where left out. */
  readonly cacheBytes?: number;
  /** What a search may cost; the usual where left out. */
  readonly budget?: SearchBudgetOptions;
  /** How many threads answer searches; as many as the processors allow where left out. They share `cacheBytes`. */
  readonly searchThreads?: number;
  /** Called where a thread ends, and when it is back. */
  readonly threads?: ThreadWatch;
  /**
   * Called when the file was of an older version and was emptied, for a projector to fill. Left out: it is read as it
   * is.
   */
  onEmptied?(): void;
}

/** From so many processors on, two threads answer searches. */
const processorsForTwo = 4;

/**
 * Opens the search index for reading, and creates the file where it is missing. Point reads happen in the calling
 * thread and take microseconds. Full-text queries happen in threads of their own.
 */
export async function openSqliteSearchReader(
  options: SqliteSearchReaderOptions,
): Promise<SearchReader & { readonly parked: ParkedEvents; readonly counted: Counted; close(): Promise<void> }> {
  const {
    file,
    cacheBytes = 256 * 1024 * 1024,
    budget = usualBudget,
    searchThreads = availableParallelism() < processorsForTwo ? 1 : 2,
    threads,
    onEmptied,
  } = options;
  const database = openForReading({ file, schema: searchSchema, durability: "rebuildable", onEmptied });
  const workerData: SearchThreadData = { file, cacheBytes: cacheBytes / searchThreads, ...budget };
  const startThreads = (): SearchThreads => new SearchThreads(searchThreads, workerData, threads);
  try {
    return new SqliteSearchReader(file, database, startThreads);
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqliteSearchReader implements SearchReader {
  readonly parked: ParkedEvents;
  readonly counted: Counted;
  private readonly checkpoints: Checkpoints;
  private readonly signal: ChangeSignal;
  private readonly pointReads: PointReads;
  private readonly vectorCounts: VectorCounts;
  private readonly threads: SearchThreads;

  constructor(
    file: string,
    private readonly database: SqliteDatabase,
    startThreads: () => SearchThreads,
  ) {
    this.checkpoints = new Checkpoints(database, searchProjectionName);
    this.parked = parkedEventsIn(database);
    this.counted = { counts: async () => ({ documents: this.countDocuments() }) };
    this.pointReads = new PointReads(database);
    this.vectorCounts = new VectorCounts(database);
    // From here on nothing fails: threads that nobody closes would run for ever.
    this.signal = new ChangeSignal(file);
    this.threads = startThreads();
  }

  search(request: SearchRequest): Promise<SearchPage> {
    return this.threads.search(request);
  }

  suggest(request: SuggestRequest): Promise<readonly Suggestion[]> {
    return this.threads.suggest(request);
  }

  async find(datasource: DatasourceName, documentId: DocumentId): Promise<StoredDocument | null> {
    return this.pointReads.find(datasource, documentId);
  }

  async text(datasource: DatasourceName, documentId: DocumentId): Promise<string | null> {
    return this.pointReads.text(datasource, documentId);
  }

  async textPart(datasource: DatasourceName, documentId: DocumentId, part: number): Promise<TextPart | null> {
    return this.pointReads.textPart(datasource, documentId, part);
  }

  async withoutVectors(model: string): Promise<number> {
    return this.vectorCounts.without(model);
  }

  async documents(after: string | null): Promise<HeldPage<HeldDocument>> {
    return this.pointReads.list(after);
  }

  async position(): Promise<Position> {
    return this.checkpoints.read();
  }

  async reached(position: Position, timeoutMs: number): Promise<boolean> {
    const hasReached = await this.signal.until(() => this.checkpoints.read() >= position, timeoutMs);
    this.pointReads.lookAgain();
    return hasReached;
  }

  async close(): Promise<void> {
    await this.threads.close();
    this.signal.close();
    this.database.close();
  }

  private countDocuments(): number {
    const count = this.database.prepare<[], number>(
      "SELECT count(*) FROM datasources s JOIN documents d ON d.datasource = s.id WHERE s.status <> 'deleted'",
    );
    return count.pluck().get() ?? 0;
  }
}
