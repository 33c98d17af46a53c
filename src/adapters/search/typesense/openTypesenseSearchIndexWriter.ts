import { EngineUnavailable } from "../../../../projections/ports.js";
import type {
  AnalyseDocument,
  PreparedChange,
  SearchIndexBatch,
  SearchIndexWriter,
} from "../../../../projections/search/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { landmarkUpTo } from "../../../events/eventSource.js";
import { beginning, type Position } from "../../../shared/position.js";
import { onceAllEnded } from "../../../shared/waiting.js";
import { AccessNumbers, type CarriedAccess } from "./accessNumbers.js";
import type { Announcements } from "../../threads/announcements.js";
import { announcementsOf } from "./servedPosition.js";
import {
  type Collections,
  type CollectionsOptions,
  isMissing,
  openCollections,
  serveOnceAsFar,
} from "./collections.js";
import { toWriterFailure, type TypesenseConnection } from "./connection.js";
import { DatasourceTable } from "./datasourceTable.js";
import { DocumentWriter, idOf, isNewest } from "./documentWriter.js";
import { datasourceKey } from "./encoding.js";
import { engineWordsOf, type EngineWords } from "./frequencies.js";
import { PendingWork } from "./pendingWork.js";
import type { CheckpointState, CollectionNames } from "./schema.js";
import {
  checkpointRow,
  checkpointSearch,
  datasourceRow,
  newStamp,
  parkedRow,
  positionOf,
  readCheckpoint,
  readDatasources,
  removeParked,
} from "./stateCollection.js";
import { Embedding, type EmbeddingOptions } from "./vectors/embedding.js";
import { VectorCollections } from "./vectors/vectorRows.js";
import { LexiconRows } from "./lexiconRows.js";

export interface TypesenseSearchIndexWriterOptions extends CollectionsOptions, EmbeddingOptions {
  /** Analyses a document again when the searched properties of its datasource have changed. */
  readonly analyse: AnalyseDocument;
  /**
   * Called when a step of the work that a change of a datasource left behind has failed; the next write tries again.
   */
  onFailure(error: unknown): void;
  /**
   * Until when this process may write, on the clock of `performance.now()`: a lease's `heldUntil`. It is asked right
   * before each request is sent, and no request gets more time than that. Left out: no other process writes.
   */
  heldUntil?(): number;
  /** Milliseconds that a request may take. 10,000 where left out. */
  readonly requestTimeoutMs?: number;
}

/** With less time than this left of a lease, nothing is sent. */
const leastTimeMs = 200;

/**
 * Opens the search collections of a namespace for writing, and makes them where they are missing. Rejects, within the
 * time allowed, with a sentence where the server cannot be reached, refuses the key, or holds something else by that
 * name.
 */
export async function openTypesenseSearchIndexWriter(
  options: TypesenseSearchIndexWriterOptions,
): Promise<SearchIndexWriter & { close(): Promise<void> }> {
  const { heldUntil, requestTimeoutMs = 10_000 } = options;
  const { connection, collections } = await openCollections(options, () => {
    if (heldUntil === undefined) return requestTimeoutMs;
    const left = heldUntil() - performance.now();
    if (left < leastTimeMs) throw new EngineUnavailable("The right to write the search index has been lost.");
    return Math.min(requestTimeoutMs, left);
  });
  return new TypesenseSearchIndexWriter(connection, collections, options);
}

class TypesenseSearchIndexWriter implements SearchIndexWriter {
  private readonly names: CollectionNames;
  private readonly documents: DocumentWriter;
  private readonly numbers: AccessNumbers;
  private readonly lexicon: LexiconRows;
  private readonly pending: PendingWork;
  private readonly vectors: VectorCollections;
  private readonly embedding: Embedding;
  private readonly announcements: Announcements;
  /** The datasources under the state {@link known}; null: they have to be read. */
  private datasources: DatasourceTable | null = null;
  private known: CheckpointState | null = null;
  private isServed = false;
  private last: Promise<unknown> = Promise.resolve();
  /** Whether the last batch that a write did not wait for was written. */
  private ahead: Promise<boolean> = Promise.resolve(true);
  /** Batches up to here are waited for: one of them has failed, and may be at fault. */
  private waitUntil: Position = beginning;
  private isStepPlanned = false;
  private isClosed = false;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collections: Collections,
    private readonly options: TypesenseSearchIndexWriterOptions,
  ) {
    this.names = collections.names;
    this.announcements = announcementsOf(this.names);
    this.vectors = new VectorCollections(connection, options.namespace);
    this.lexicon = new LexiconRows(connection, this.names.state);
    this.documents = new DocumentWriter(connection, this.names, this.vectors, this.lexicon);
    this.numbers = new AccessNumbers(connection, this.names.state);
    this.pending = new PendingWork({
      ...{ connection, names: this.names, documents: this.documents, numbers: this.numbers, lexicon: this.lexicon },
      analyse: options.analyse,
    });
    const alone = <Answer>(work: () => Promise<Answer>): Promise<Answer> => this.alone(work);
    this.embedding = new Embedding({ connection, names: this.names, collections: this.vectors, alone }, options);
  }

  checkpoint(): Promise<Position> {
    this.ahead = Promise.resolve(true);
    return this.alone(async () => {
      await this.collections.create();
      if ((await this.collections.servedVersion()) === null) await this.collections.serveOurs();
      const { state } = await this.load();
      this.embedding.wake();
      return positionOf(state);
    });
  }

  /** What a batch changes that is still being written is no property: see {@link mayRunAhead}. */
  async searchableProperties(
    datasources: readonly DatasourceId[],
  ): Promise<ReadonlyMap<DatasourceId, ReadonlySet<string>>> {
    const table = this.datasources ?? (await this.alone(() => this.load())).table;
    return new Map(
      datasources.flatMap((id) => {
        const state = table.find(id);
        return state === null ? [] : [[id, new Set(state.searchable)] as const];
      }),
    );
  }

  /**
   * In a catch-up a batch is written while the next one is read and analysed. Where it fails, the next one is answered
   * with a conflict, and both are delivered again.
   */
  async write(batch: SearchIndexBatch): Promise<"applied" | "checkpointConflict"> {
    const puts = batch.documents.flatMap((change) => (change.kind === "put" ? [withEngineWords(change)] : []));
    if (!(await this.ahead)) return "checkpointConflict";
    const written = this.alone(async () => {
      const outcome = await this.writeBatch(batch, puts);
      this.continueLater();
      this.embedding.wake();
      return outcome;
    });
    if (!this.mayRunAhead(batch)) return written;
    this.ahead = written.then(
      (outcome) => outcome === "applied",
      () => {
        this.waitUntil = batch.position;
        return false;
      },
    );
    return "applied";
  }

  private mayRunAhead({ moreToCome, datasources, parked, restored, position }: SearchIndexBatch): boolean {
    const isDocumentsOnly = datasources.length === 0 && parked.length === 0 && restored === undefined;
    return moreToCome === true && isDocumentsOnly && position > this.waitUntil;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.embedding.close();
    await this.last.catch(() => undefined);
    this.announcements.close();
    this.connection.close();
  }

  /** One after the other. After a failure, nothing that is remembered is trusted. */
  private alone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.last.then(work, work).catch((error: unknown) => {
      this.forget();
      throw toWriterFailure(error);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private forget(): void {
    this.datasources = null;
    this.known = null;
    this.isServed = false;
    this.numbers.forget();
    this.lexicon.forget();
    this.vectors.forget();
    this.embedding.forget();
  }

  /** The present state. Datasources are read again where another writer has changed them. */
  private async load(): Promise<{ readonly state: CheckpointState; readonly table: DatasourceTable }> {
    const [answer] = await this.connection.search([checkpointSearch(this.names.state)]);
    const state = readCheckpoint(answer);
    if (
      this.datasources === null ||
      this.known === null ||
      this.known.stamp !== state.stamp ||
      this.known.position !== state.position
    ) {
      this.forget();
      this.datasources = new DatasourceTable(await readDatasources(this.connection, this.names.state));
      this.known = state;
      this.continueLater();
    }
    return { state, table: this.datasources };
  }

  /**
   * Writes effects first, each of which can be repeated, and the checkpoint last. What takes access away comes before
   * what gives it.
   */
  private async writeBatch(
    batch: SearchIndexBatch,
    puts: readonly WordedPut[],
  ): Promise<"applied" | "checkpointConflict"> {
    try {
      const [{ state, table }, stored] = await onceAllEnded([
        this.load(),
        this.documents.stored(batch.documents.map(idOf)),
      ]);
      if (positionOf(state) !== batch.after) return "checkpointConflict";
      for (const change of batch.datasources) table.apply(change);
      const isRestoring = batch.restored !== undefined;
      if (isRestoring) this.numbers.forget();
      const served = puts.filter(
        (put) =>
          (isRestoring || isNewest(put.prepared.position, stored.get(idOf(put)))) &&
          table.find(put.prepared.document.datasourceId) !== null,
      );
      const access = served.map(({ prepared: { document, tokens } }) => ({
        datasource: datasourceKey(document.datasourceId),
        tokens,
      }));
      const { carried, hasNew } = await this.numbers.carriedBy(access, batch.position);
      const stamped = await this.writeDefinitions(state, table, batch.position, hasNew);
      // Whatever there is of a restored scope goes first: nothing is known of what others wrote.
      await this.documents.remove(
        isRestoring ? batch.documents.map(idOf) : removalsIn(batch.documents, (id) => stored.has(id)),
      );
      await this.documents.put(
        served.map((put, index) => ({ ...put, access: carried[index] as CarriedAccess })),
        table,
        stored,
      );
      const worked = batch.datasources.length > 0 ? await this.workOn(stamped, table) : stamped;
      await removeParked(this.connection, this.names.state, batch.restored ?? []);
      await this.connection.write(this.names.state, batch.parked.map(parkedRow));
      await this.save({ ...worked, position: batch.position.toString(), ...landmarkIn(batch) });
      this.isServed ||= await serveOnceAsFar(this.connection, this.collections, batch.position);
      this.announcements.announce();
      return "applied";
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The engine has lost what it held: everything is rebuilt from the beginning of the log.
      this.forget();
      await this.collections.create();
      return "checkpointConflict";
    }
  }

  /** Writes datasources as they are now. A new stamp tells readers before the first document that needs it. */
  private async writeDefinitions(
    state: CheckpointState,
    table: DatasourceTable,
    position: Position,
    hasNewClasses: boolean,
  ): Promise<CheckpointState> {
    const changed = table.takeChanged();
    if (changed.length === 0 && !hasNewClasses) return state;
    await this.connection.write(
      this.names.state,
      changed.map((datasource) => datasourceRow(datasource, position)),
    );
    return this.save({ ...state, stamp: newStamp() });
  }

  private async save({ generation = newStamp(), ...others }: CheckpointState): Promise<CheckpointState> {
    const state = { ...others, generation };
    await this.connection.write(this.names.state, [checkpointRow(state)]);
    this.known = state;
    return state;
  }

  private async workOn(state: CheckpointState, table: DatasourceTable): Promise<CheckpointState> {
    await this.pending.step(table);
    return this.writeDefinitions(state, table, positionOf(state), false);
  }

  /** Goes on with what changes of datasources left behind, while there is nothing else to do. */
  private continueLater(): void {
    if (this.isClosed || this.isStepPlanned || !this.datasources?.withWorkLeft()) return;
    this.isStepPlanned = true;
    setImmediate(() => {
      const step = async (): Promise<void> => {
        this.isStepPlanned = false;
        if (this.isClosed) return;
        const { state, table } = await this.load();
        await this.workOn(state, table);
        this.announcements.announce();
        this.continueLater();
      };
      this.alone(step).catch((error: unknown) => this.options.onFailure(error));
    });
  }
}

/** A document to put, with its words as the engine holds them. */
type WordedPut = Extract<PreparedChange, { readonly kind: "put" }> & { readonly engineWords: EngineWords };

/** It takes a third of what writing a document takes here, and can be done while others are being written. */
const withEngineWords = (put: Omit<WordedPut, "engineWords">): WordedPut => ({
  ...put,
  engineWords: engineWordsOf(put.prepared.analysed),
});

function landmarkIn({ landmarks = [], position }: SearchIndexBatch): Pick<CheckpointState, "landmark"> {
  const landmark = landmarkUpTo(landmarks, position);
  return landmark === null ? {} : { landmark: { position: landmark.position.toString(), id: landmark.id } };
}

/** Documents that are stored and have to go. */
const removalsIn = (changes: readonly PreparedChange[], isStored: (id: string) => boolean): readonly string[] =>
  changes
    .filter((change) => change.kind === "remove")
    .map(idOf)
    .filter(isStored);
