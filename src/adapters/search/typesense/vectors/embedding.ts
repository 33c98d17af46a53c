import type { Embedder } from "../../../../../projections/search/ports.js";
import { VectorFollower, type EarlierVectors, type PassageVector } from "../../vectorFollower.js";
import { VectorRows, type UnembeddedRow, type VectorRowsOptions } from "./vectorRows.js";
import { isMissing } from "../collections.js";
import type { TypesenseConnection } from "../connection.js";
import { type DocumentRow, type VectorRow, type VectorsState, namesOf, vectorsNameOf } from "../schema.js";
import { readVectorsState } from "../stateCollection.js";

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

/** The engine gives no more rows at once. */
const rowsPerPage = 250;

type Known = ReadonlyMap<UnembeddedRow, readonly PassageVector[]>;

/** Vectors in the collections of another version, in a namespace of its own. */
class EarlierVectorsInNamespace implements EarlierVectors<UnembeddedRow> {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly namespace: string,
    private readonly model: string,
  ) {}

  async of(documents: readonly UnembeddedRow[]): Promise<Known> {
    try {
      const state = await readVectorsState(this.connection, namesOf(this.namespace).state);
      if (state?.model !== this.model) return new Map();
      const same = await this.same(documents, state);
      const vectors = await this.vectorsOf(same, state);
      return new Map(
        same.flatMap((document) => {
          const its = vectors.get(document.row.id);
          return its === undefined ? [] : [[document, its] as const];
        }),
      );
    } catch (error) {
      if (isMissing(error)) return new Map();
      throw error;
    }
  }

  /** The documents that are of the same event there, and have all their vectors. */
  private async same(documents: readonly UnembeddedRow[], { mark }: VectorsState): Promise<readonly UnembeddedRow[]> {
    const [answer] = await this.connection.search<Pick<DocumentRow, "id" | "position">>([
      {
        ...{ collection: namesOf(this.namespace).documents, q: "*", per_page: documents.length },
        filter_by: `id:=[${documents.map(({ row }) => row.id).join(",")}] && vec:=${mark}`,
        include_fields: "id,position",
      },
    ]);
    const positions = new Map((answer?.hits ?? []).map(({ document: { id, position } }) => [id, position]));
    return documents.filter(({ row }) => positions.get(row.id) === row.position);
  }

  /** The vectors of each document, by its id. */
  private async vectorsOf(
    documents: readonly UnembeddedRow[],
    { model, dimensions }: VectorsState,
  ): Promise<ReadonlyMap<string, readonly PassageVector[]>> {
    const vectors = new Map<string, PassageVector[]>();
    if (documents.length === 0 || dimensions === 0) return vectors;
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const [answer] = await this.connection.search<Pick<VectorRow, "doc" | "start" | "end" | "v">>([
        {
          ...{ collection: vectorsNameOf(this.namespace, model, dimensions), q: "*", per_page: rowsPerPage, page },
          filter_by: `doc:=[${documents.map(({ row }) => row.id).join(",")}]`,
          include_fields: "doc,start,end,v",
        },
      ]);
      const hits = answer?.hits ?? [];
      for (const {
        document: { doc, start, end, v },
      } of hits)
        vectors.set(doc, [...(vectors.get(doc) ?? []), { passage: { start, end }, vector: Float32Array.from(v) }]);
      isLast = hits.length < rowsPerPage;
    }
    return vectors;
  }
}
