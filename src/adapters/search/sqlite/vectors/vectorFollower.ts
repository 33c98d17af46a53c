import type { Embedder } from "../../../../../projections/search/ports.js";
import { embeddedPassagesOf } from "../../../../analysis/embeddedPassages.js";
import { ModelServerFailure } from "../../../../shared/modelCalls.js";
import type { SqliteDatabase } from "../../../sqlite/database.js";
import { VectorRows, type EmbeddedDocument, type UnembeddedDocument } from "./vectorRows.js";

export interface VectorFollowerOptions {
  readonly database: SqliteDatabase;
  readonly embedder: Embedder;
  /** Called after each commit. */
  announce(): void;
  /** Told why vectors could not be made; they are tried again. */
  onFailure(error: unknown): void;
  /** The first pause after a failure; it doubles up to a minute. A second where left out. */
  readonly firstPauseMs?: number;
}

/** Documents of one commit, and passages of one request: a model takes a second or so for them. */
const documentsPerStep = 16;
const passagesPerRequest = 32;
const longestPauseMs = 60_000;

/**
 * Makes the vectors of documents that are in the index, one step after the other, in the order of their rows. While the
 * model does not answer, it waits; nothing else waits for it.
 */
export class VectorFollower {
  private readonly rows: VectorRows;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private pause: NodeJS.Timeout | null = null;
  private pauseMs: number;
  private isClosed = false;

  constructor(private readonly options: VectorFollowerOptions) {
    this.rows = new VectorRows(options.database, options.embedder.model);
    this.pauseMs = this.firstPauseMs;
  }

  /** Says that there may be new documents. */
  wake(): void {
    this.isWoken = true;
    if (this.isClosed || this.pause !== null) return;
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.isWoken) this.wake();
    });
  }

  /** From here on nothing is read or written. */
  close(): void {
    this.isClosed = true;
    if (this.pause !== null) clearTimeout(this.pause);
  }

  private get firstPauseMs(): number {
    return this.options.firstPauseMs ?? 1_000;
  }

  private async run(): Promise<void> {
    try {
      while (this.isWoken && !this.isClosed) {
        this.isWoken = false;
        while (await this.step());
      }
      this.pauseMs = this.firstPauseMs;
    } catch (error) {
      this.isWoken = false;
      if (this.isClosed) return;
      this.options.onFailure(error);
      this.tryAgainLater();
    }
  }

  /** False where nothing is left to do. */
  private async step(): Promise<boolean> {
    if (this.isClosed) return false;
    const documents = this.rows.next(documentsPerStep);
    if (documents.length === 0) return false;
    const embedded = await this.embed(documents);
    if (this.isClosed) return false;
    this.rows.save(embedded);
    this.pauseMs = this.firstPauseMs;
    this.options.announce();
    return true;
  }

  private async embed(documents: readonly UnembeddedDocument[]): Promise<readonly EmbeddedDocument[]> {
    try {
      return await this.embedTogether(documents);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const [only] = documents;
      if (documents.length === 1 && only !== undefined) return [await this.withoutVectors(only, error)];
      const half = documents.length >> 1;
      return [...(await this.embed(documents.slice(0, half))), ...(await this.embed(documents.slice(half)))];
    }
  }

  private async embedTogether(documents: readonly UnembeddedDocument[]): Promise<readonly EmbeddedDocument[]> {
    const passages = documents.map(({ title, text }) => embeddedPassagesOf(title, text));
    const vectors = await this.vectorsOf(passages.flat().map(({ text }) => text));
    let next = 0;
    return documents.map(({ row }, at) => ({
      row,
      passages: (passages[at] ?? []).map(({ passage }) => ({ passage, vector: vectors[next++] as Float32Array })),
    }));
  }

  private async vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length && !this.isClosed; from += passagesPerRequest)
      vectors.push(...(await this.options.embedder.embed(texts.slice(from, from + passagesPerRequest))));
    return vectors;
  }

  /** A document that the model refuses stays without, where it takes anything else: the others must not wait for it. */
  private async withoutVectors({ row }: UnembeddedDocument, error: unknown): Promise<EmbeddedDocument> {
    await this.options.embedder.embed(["text"]).catch(() => {
      throw error;
    });
    this.options.onFailure(error);
    return { row, passages: [] };
  }

  private tryAgainLater(): void {
    this.pause = setTimeout(() => {
      this.pause = null;
      this.wake();
    }, this.pauseMs);
    this.pause.unref();
    this.pauseMs = Math.min(longestPauseMs, this.pauseMs * 2);
  }
}

const isRejection = (error: unknown): boolean => error instanceof ModelServerFailure && error.trouble === "rejected";
