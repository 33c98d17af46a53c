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
import { Checkpoints, parkedEventsIn } from "../../sqlite/checkpoints.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { searchProjectionName, searchSchema, partsPerDocument } from "./schema.js";
import { usualBudget, type SearchBudgetOptions } from "./searchBudget.js";
import type { SearchThreadData } from "./searchThreadMessages.js";
import { SearchThreads } from "./searchThreads.js";
import { VectorCounts } from "./vectors/vectorState.js";
import { LRUCache } from "lru-cache";
import type { CustomProperty, FileFacts } from "../../../events/document.js";
import { Snapshots } from "../../sqlite/snapshots.js";
import { tokensInClass } from "./accessClasses.js";
import { hitSummaryColumns, hitSummaryTables, toHitSummary, type HitSummaryRow } from "./hitSummaryRows.js";

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

interface DetailsRow extends HitSummaryRow {
  readonly tokens: string;
  readonly mimeType: string;
  readonly size: number;
  readonly customProperties: string | null;
  readonly file: string | null;
  readonly indexedAt: string;
}

interface KnownDocument {
  readonly stored: StoredDocument | null;
  /** The version of the file as of which this is right. */
  readonly version: number;
}

const documentsPerPage = 1_000;
/** How much of documents is remembered, counted in tokens and fields: some 50 MB. */
const maxRemembered = 1_000_000;

const fieldsPerDocument = 64;

/**
 * Reads one served document by its id. What was read is remembered for as long as the file has no new commit. So a
 * document that is asked for again and again costs only a look at the file.
 */
class PointReads {
  private readonly snapshots: Snapshots;
  private readonly known = new LRUCache<string, KnownDocument>({ maxSize: maxRemembered, sizeCalculation: sizeOf });
  private readonly details;
  private readonly parts;
  private readonly part;
  private readonly listed;

  constructor(database: SqliteDatabase) {
    this.snapshots = new Snapshots(database);
    const isIt = "s.name = ? AND s.status = 'served' AND d.document_id = ?";
    this.details = database.prepare<[string, string], DetailsRow>(
      `SELECT ${hitSummaryColumns}, d.mime_type AS mimeType, d.size, d.custom_properties AS customProperties, d.indexed_at AS indexedAt, d.file, c.tokens
       FROM ${hitSummaryTables} JOIN access_classes c ON c.id = d.class WHERE ${isIt}`,
    );
    this.parts = database
      .prepare<[string, string], string | null>(
        `SELECT t.text FROM datasources s JOIN documents d ON d.datasource = s.id
         LEFT JOIN texts t ON t.part >= d.row * ${partsPerDocument} AND t.part < (d.row + 1) * ${partsPerDocument}
         WHERE ${isIt} ORDER BY t.part`,
      )
      .pluck();
    this.part = database.prepare<[number, string, string], { readonly text: string | null; readonly parts: number }>(
      `SELECT (SELECT text FROM texts WHERE part = d.row * ${partsPerDocument} + ?) AS text,
         (SELECT count(*) FROM texts WHERE part >= d.row * ${partsPerDocument} AND part < (d.row + 1) * ${partsPerDocument}) AS parts
       FROM datasources s JOIN documents d ON d.datasource = s.id WHERE ${isIt}`,
    );
    this.listed = database.prepare<[string], HeldDocument & { readonly row: number }>(
      `SELECT d.row, s.datasource_id AS datasourceId, s.name AS datasource, d.document_id AS documentId
       FROM documents d JOIN datasources s ON s.id = d.datasource
       WHERE s.status = 'served' AND d.row > CAST(? AS INTEGER) ORDER BY d.row LIMIT ${documentsPerPage}`,
    );
  }

  /** Documents in the order of their rows. */
  list(after: string | null): HeldPage<HeldDocument> {
    const rows = this.listed.all(after ?? "0");
    return {
      items: rows.map(({ datasourceId, datasource, documentId }) => ({ datasourceId, datasource, documentId })),
      next: rows.length < documentsPerPage ? null : String(rows.at(-1)?.row),
    };
  }

  /** null where the index holds no such document. */
  find(datasource: DatasourceName, documentId: DocumentId): StoredDocument | null {
    const key = `${datasource}/${documentId}`;
    const known = this.known.get(key);
    if (known !== undefined && known.version === this.snapshots.version()) return known.stored;
    return this.snapshots.take(() => {
      const stored = this.read(datasource, documentId);
      this.known.set(key, { stored, version: this.snapshots.version() });
      return stored;
    });
  }

  /**
   * null where the index holds no such document; an empty text has no parts. What is found next is as new as the text.
   */
  text(datasource: DatasourceName, documentId: DocumentId): string | null {
    const parts = this.snapshots.take(() => this.parts.all(datasource, documentId));
    return parts.length === 0 ? null : parts.map((part) => part ?? "").join("");
  }

  /** null where the index holds no such document, or its text no such part; an empty text has an empty one. */
  textPart(datasource: DatasourceName, documentId: DocumentId, part: number): TextPart | null {
    const row = this.part.get(part, datasource, documentId);
    if (row === undefined) return null;
    if (row.parts === 0 && part === 0) return { text: "", parts: 1 };
    return row.text === null || part >= row.parts ? null : { text: row.text, parts: row.parts };
  }

  /**
   * To be called when a commit has become known: it counts from now on, not only from the next turn of the event loop.
   */
  lookAgain(): void {
    this.snapshots.lookAgain();
  }

  private read(datasource: DatasourceName, documentId: DocumentId): StoredDocument | null {
    const row = this.details.get(datasource, documentId);
    if (row === undefined) return null;
    const { mimeType, size, indexedAt } = row;
    const customProperties =
      row.customProperties === null ? [] : (JSON.parse(row.customProperties) as CustomProperty[]);
    return {
      details: {
        ...toHitSummary(row),
        ...{ mimeType, size, customProperties, indexedAt },
        ...(row.file !== null && { file: JSON.parse(row.file) as FileFacts }),
      },
      tokens: tokensInClass(row.tokens),
    };
  }
}

const sizeOf = ({ stored }: KnownDocument): number =>
  fieldsPerDocument + (stored === null ? 0 : stored.tokens.length + stored.details.customProperties.length);
