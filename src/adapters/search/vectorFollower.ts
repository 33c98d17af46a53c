import { setImmediate as nextTurn } from "node:timers/promises";
import type { Embedder } from "../../../projections/search/ports.js";
import { embeddedPassagesOf } from "../../analysis/passages.js";
import type { TextRange } from "../../analysis/nearness.js";
import { ModelServerFailure } from "../../shared/modelCalls.js";

/** A document that has no vectors yet. An engine adds by what it knows it again. */
export interface UnembeddedDocument {
  readonly title: string;
  /** The first part of the text: what is further on has no vectors. */
  readonly text: string;
}

/** What a passage means, and where it stands. */
export interface PassageVector {
  readonly passage: TextRange;
  readonly vector: Float32Array;
}

/** The vectors of a document's passages; none where the model makes none of its text. */
export interface EmbeddedDocument<Document extends UnembeddedDocument> {
  readonly document: Document;
  readonly passages: readonly PassageVector[];
}

/** Vectors that the same model has made for another version of the index, which is only read. */
export interface EarlierVectors<Document extends UnembeddedDocument> {
  /**
   * The vectors of documents whose title and text are the same there. It leaves out other documents, those of which the
   * model made no vectors (it may by now), and all where the version is gone.
   */
  of(documents: readonly Document[]): Promise<ReadonlyMap<Document, readonly PassageVector[]>>;
}

/** Where an engine keeps the vectors that one model makes. */
export interface VectorStore<Document extends UnembeddedDocument> {
  /** How many numbers the vectors have that it keeps; 0: it keeps none. */
  dimensions(): Promise<number>;
  /** The next documents that have none, in an order of the engine's; vectors of another model count as none. */
  next(most: number): Promise<readonly Document[]>;
  /**
   * Keeps these, which are all of one length, whole or not at all for each document. What was deleted or replaced
   * meanwhile gets none. Vectors of another model, or of another length, are thrown away first.
   */
  save(documents: readonly EmbeddedDocument<Document>[]): Promise<void>;
}

interface VectorFollowerOptions<Document extends UnembeddedDocument> {
  readonly store: VectorStore<Document>;
  readonly embedder: Embedder;
  /** Earlier vectors, which are tried before the model is asked; null or left out: there are none. */
  readonly earlier?: EarlierVectors<Document> | null;
  /** Called after each commit; left out: nobody waits for one. */
  announce?(): void;
  /** Called with the reason why vectors could not be made; they are tried again. */
  onFailure(error: unknown): void;
  /** The first pause after a failure; it doubles up to a minute. A second where left out. */
  readonly firstPauseMs?: number;
}

/** Documents of one commit, and passages of one request: a model takes a second or so for them. */
const documentsPerStep = 16;
const passagesPerRequest = 32;
const longestPauseMs = 60_000;

/**
 * Makes the vectors of documents that are in the index, one step after the other. While the model or the engine does
 * not answer, it waits; nothing else waits for it. The same for every engine.
 */
export class VectorFollower<Document extends UnembeddedDocument> {
  private running: Promise<void> | null = null;
  private isWoken = false;
  private pause: NodeJS.Timeout | null = null;
  private pauseMs: number;
  private isClosed = false;
  private earlier: EarlierVectors<Document> | null;

  constructor(private readonly options: VectorFollowerOptions<Document>) {
    this.pauseMs = this.firstPauseMs;
    this.earlier = options.earlier ?? null;
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
        // What is taken over waits for nothing, and must not hold up what is written.
        while (await this.step()) await nextTurn();
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
    const { store, announce } = this.options;
    const documents = await store.next(documentsPerStep);
    if (documents.length === 0 || this.isClosed) return false;
    const embedded = await this.takeOverOrEmbed(documents);
    if (this.isClosed) return false;
    assertOneLength(embedded);
    await store.save(embedded);
    this.pauseMs = this.firstPauseMs;
    announce?.();
    return true;
  }

  /** Vectors of another length than the model makes are worth nothing, and cannot lie beside those that it makes. */
  private async takeOverOrEmbed(documents: readonly Document[]): Promise<readonly EmbeddedDocument<Document>[]> {
    const known = await this.takenOver(documents);
    const unknown = documents.filter((document) => !known.has(document));
    const made = unknown.length === 0 ? [] : await this.embed(unknown);
    const all = new Map([...known, ...made.map(({ document, passages }) => [document, passages] as const)]);
    const embedded = documents.map((document) => ({ document, passages: all.get(document) ?? [] }));
    if (known.size === 0 || areOfOneLength(embedded)) return embedded;
    this.earlier = null;
    return this.embed(documents);
  }

  private async takenOver(documents: readonly Document[]): Promise<ReadonlyMap<Document, readonly PassageVector[]>> {
    const { earlier } = this;
    const known = (await earlier?.of(documents)) ?? new Map();
    const dimensions = known.size === 0 ? 0 : await this.options.store.dimensions();
    const isKept = ({ vector }: PassageVector): boolean => dimensions === 0 || vector.length === dimensions;
    if ([...known.values()].flat().every(isKept)) return known;
    this.earlier = null;
    return new Map();
  }

  private async embed(documents: readonly Document[]): Promise<readonly EmbeddedDocument<Document>[]> {
    try {
      return await this.embedTogether(documents);
    } catch (error) {
      if (!mayBeOfOneText(error)) throw error;
      const [only] = documents;
      if (documents.length === 1 && only !== undefined) return [await this.withoutVectors(only, error)];
      const half = documents.length >> 1;
      return [...(await this.embed(documents.slice(0, half))), ...(await this.embed(documents.slice(half)))];
    }
  }

  private async embedTogether(documents: readonly Document[]): Promise<readonly EmbeddedDocument<Document>[]> {
    const passages = documents.map(({ title, text }) => embeddedPassagesOf(title, text));
    const vectors = await this.vectorsOf(passages.flat().map(({ text }) => text));
    let next = 0;
    return documents.map((document, at) => ({
      document,
      passages: (passages[at] ?? []).map(({ passage }) => ({ passage, vector: vectors[next++] as Float32Array })),
    }));
  }

  private async vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length && !this.isClosed; from += passagesPerRequest)
      vectors.push(...(await this.options.embedder.embed(texts.slice(from, from + passagesPerRequest))));
    return vectors;
  }

  /**
   * A document that the model refuses, or makes nonsense of, stays without, where it takes anything else: the others
   * must not wait for it.
   */
  private async withoutVectors(document: Document, error: unknown): Promise<EmbeddedDocument<Document>> {
    await this.options.embedder.embed(["text"]).catch(() => {
      throw error;
    });
    this.options.onFailure(error);
    return { document, passages: [] };
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

/** Whether another text may fare better: models make numbers of some that are none. */
const mayBeOfOneText = (error: unknown): boolean =>
  error instanceof ModelServerFailure && (error.trouble === "rejected" || error.trouble === "malformed");

/** Throws where vectors of several requests differ in length: a server may have got another model in between. */
function assertOneLength(documents: readonly EmbeddedDocument<UnembeddedDocument>[]): void {
  if (!areOfOneLength(documents))
    throw new ModelServerFailure("malformed", "It answered with vectors of different lengths.");
}

function areOfOneLength(documents: readonly EmbeddedDocument<UnembeddedDocument>[]): boolean {
  const lengths = documents.flatMap(({ passages }) => passages.map(({ vector }) => vector.length));
  return lengths.every((length) => length === lengths[0]);
}
