import type { Embedder } from "../../../../../projections/search/ports.js";
import { VectorFollower } from "../../vectorFollower.js";
import { EarlierVectorsInNamespace } from "./earlierVectors.js";
import { VectorRows, type UnembeddedRow, type VectorRowsOptions } from "./vectorRows.js";

export interface EmbeddingOptions {
  /** Makes vectors of documents, after they were written; null or left out: there are none. */
  readonly embedder?: Embedder | null;
  /**
   * The namespace of another version, whose vectors are taken over where they are of the same; null or left out: none.
   */
  readonly earlierNamespace?: string | null;
  /** Called with the reason why vectors could not be made; they are tried again. `onFailure` where left out. */
  onEmbedderFailure?(error: unknown): void;
  /** After so long for the first time; a second where left out. */
  readonly embedderPauseMs?: number;
  onFailure(error: unknown): void;
}

/** The vectors of documents, made as far as there is a model. */
export class Embedding {
  private readonly rows: VectorRows | null;
  private readonly follower: VectorFollower<UnembeddedRow> | null;

  constructor(
    kept: Omit<VectorRowsOptions, "model">,
    {
      embedder = null,
      earlierNamespace = null,
      onFailure,
      onEmbedderFailure = onFailure,
      embedderPauseMs: firstPauseMs,
    }: EmbeddingOptions,
  ) {
    this.rows = embedder && new VectorRows({ ...kept, model: embedder.model });
    this.follower =
      embedder &&
      this.rows &&
      new VectorFollower({
        ...{ store: this.rows, embedder, onFailure: onEmbedderFailure, firstPauseMs },
        earlier:
          earlierNamespace === null
            ? null
            : new EarlierVectorsInNamespace(kept.connection, earlierNamespace, embedder.model),
      });
  }

  /** Says that there may be new documents. */
  wake(): void {
    this.follower?.wake();
  }

  /** What is remembered may be wrong. */
  forget(): void {
    this.rows?.forget();
  }

  /** From here on nothing is begun. */
  close(): void {
    this.follower?.close();
  }
}
