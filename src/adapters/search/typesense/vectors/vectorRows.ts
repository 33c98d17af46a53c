import { randomBytes } from "node:crypto";
import type { EmbeddedDocument, UnembeddedDocument, VectorStore } from "../../vectorFollower.js";
import { type TypesenseConnection, TypesenseFailure } from "../connection.js";
import { shortHash } from "../encoding.js";
import {
  type DocumentRow,
  type StoredHitSummary,
  type VectorRow,
  type VectorsState,
  type CollectionNames,
  vectorFields,
  vectorsNameOf,
  vectorsPrefix,
} from "../schema.js";
import { readVectorsState, vectorsRow } from "../stateCollection.js";
import { partId, StoredTexts } from "../storedTexts.js";
import { isMissing } from "../collections.js";

/** What a vector has of its document. */
const carried = "id,ds,cls,acl,subs,type,modified,position";
type CarriedRow = Omit<VectorRow, "doc" | "start" | "end" | "v">;

/** A document that has no vectors yet, at the position at which it was read. */
export interface UnembeddedRow extends UnembeddedDocument {
  readonly row: CarriedRow;
}

/** After so many, documents that are to be written get a turn. */
const passagesPerTurn = 64;
/** How many documents are listed at once: the engine looks through all of them to find those without vectors. */
const listedAtOnce = 250;
/** The digits of each number: the loss moves no neighbour, and the engine stores what it is sent. */
const digits = 5;
const notThere = 404;

export interface VectorRowsOptions {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly collections: VectorCollections;
  readonly model: string;
  /** Runs work while nothing else writes. */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Keeps the vectors of one model. A document carries the mark of its vectors, and loses it with its version. So those
 * without vectors are found whatever happened, and in whatever order documents came.
 */
export class VectorRows implements VectorStore<UnembeddedRow> {
  private state: VectorsState | null | undefined = undefined;
  private listed: CarriedRow[] = [];

  constructor(private readonly options: VectorRowsOptions) {}

  dimensions(): Promise<number> {
    return this.options.alone(async () => (await this.load())?.dimensions ?? 0);
  }

  /** Reads on behind documents that have no text: rows that somebody else has put there, or that are about to go. */
  async next(most: number): Promise<readonly UnembeddedRow[]> {
    for (let after: number | null = null; ;) {
      const some = await this.options.alone(() => this.nextAfter(after, most));
      if (some === null) return [];
      if (some.documents.length > 0) return some.documents;
      after = some.upTo;
    }
  }

  /** In several turns: it takes the engine some milliseconds to find a vector's place among the others. */
  async save(documents: readonly EmbeddedDocument<UnembeddedRow>[]): Promise<void> {
    let some: EmbeddedDocument<UnembeddedRow>[] = [];
    for (const document of documents) {
      some.push(document);
      if (some.reduce((sum, { passages }) => sum + passages.length, 0) < passagesPerTurn) continue;
      await this.saveSome(some);
      some = [];
    }
    if (some.length > 0) await this.saveSome(some);
  }

  private saveSome(documents: readonly EmbeddedDocument<UnembeddedRow>[]): Promise<void> {
    return this.options.alone(async () => {
      const { connection, names, collections } = this.options;
      const state = await this.stateFor(documents.flatMap(({ passages }) => passages)[0]?.vector.length);
      const present = await this.present(documents);
      const rows = present.flatMap(vectorRowsOf);
      if (rows.length > 0) await connection.write(collections.nameFor(state.model, state.dimensions), rows);
      await this.mark(
        names.documents,
        present.map(({ document }) => ({ id: document.row.id, vec: state.mark })),
      );
    });
  }

  /** What is remembered may be wrong. */
  forget(): void {
    this.state = undefined;
    this.listed = [];
  }

  /** Some of the documents without vectors, of one list of them; null: there are none behind that position. */
  private async nextAfter(
    after: number | null,
    most: number,
  ): Promise<{ readonly documents: readonly UnembeddedRow[]; readonly upTo: number } | null> {
    if (this.listed.length === 0) this.listed = await this.list(after);
    const upTo = this.listed.at(-1)?.position;
    if (upTo === undefined) return null;
    let documents: readonly UnembeddedRow[] = [];
    while (documents.length === 0 && this.listed.length > 0)
      documents = await this.withTexts(this.listed.splice(0, most));
    return { documents, upTo };
  }

  private async list(after: number | null): Promise<CarriedRow[]> {
    const { connection, names } = this.options;
    const state = await this.load();
    const conditions = [
      ...(state === null ? [] : [`vec:!=${state.mark}`]),
      ...(after === null ? [] : [`position:>${after}`]),
    ];
    const [answer] = await connection.search<CarriedRow>([
      {
        ...{ collection: names.documents, q: "*", sort_by: "position:asc" },
        ...(conditions.length > 0 && { filter_by: conditions.join(" && ") }),
        ...{ include_fields: carried, per_page: listedAtOnce },
      },
    ]);
    return (answer?.hits ?? []).map(({ document }) => document);
  }

  /** Without those that were replaced or deleted since they were listed. */
  private async withTexts(rows: readonly CarriedRow[]): Promise<readonly UnembeddedRow[]> {
    const { connection, names } = this.options;
    const [answer] = await connection.search<Pick<DocumentRow, "id" | "position" | "text" | "parts" | "card">>([
      {
        ...{ collection: names.documents, q: "*", filter_by: `id:=[${rows.map(({ id }) => id).join(",")}]` },
        ...{ include_fields: "id,position,text,parts,card", per_page: rows.length },
      },
    ]);
    const found = new Map((answer?.hits ?? []).map(({ document }) => [document.id, document]));
    const long = [...found.values()].filter(({ text }) => text === undefined);
    const texts = new StoredTexts(connection, names.texts);
    const parts = await texts.parts(long.map((document) => ({ document, numbers: [0] })));
    return rows.flatMap((row) => {
      const document = found.get(row.id);
      const text = document?.text ?? parts.get(partId(row.id, 0));
      if (document?.position !== row.position || text === undefined) return [];
      return [{ row, title: (JSON.parse(document.card) as StoredHitSummary).title, text }];
    });
  }

  /** The documents that are still there, in the same version. */
  private async present(
    documents: readonly EmbeddedDocument<UnembeddedRow>[],
  ): Promise<readonly EmbeddedDocument<UnembeddedRow>[]> {
    const { connection, names } = this.options;
    const ids = documents.map(({ document }) => document.row.id);
    const [answer] = await connection.search<Pick<DocumentRow, "id" | "position">>([
      {
        ...{ collection: names.documents, q: "*", filter_by: `id:=[${ids.join(",")}]` },
        ...{ include_fields: "id,position", per_page: ids.length },
      },
    ]);
    const positions = new Map((answer?.hits ?? []).map(({ document: { id, position } }) => [id, position]));
    return documents.filter(({ document: { row } }) => positions.get(row.id) === row.position);
  }

  /**
   * null: all vectors have to be made, since there are none, or those of another model, or their collection was lost.
   */
  private async load(): Promise<VectorsState | null> {
    if (this.state !== undefined) return this.state;
    const { connection, names, collections, model } = this.options;
    const state = await readVectorsState(connection, names.state);
    const isUsable =
      state?.model === model &&
      (state.dimensions === 0 || (await collections.has(collections.nameFor(model, state.dimensions))));
    return (this.state = isUsable ? state : null);
  }

  /** Makes room for vectors of this length; undefined: no text was taken. Whatever was there of another kind goes. */
  private async stateFor(dimensions: number | undefined): Promise<VectorsState> {
    const { connection, names, collections, model } = this.options;
    const before = await this.load();
    if (before !== null && (dimensions === undefined || before.dimensions === dimensions)) return before;
    const isFirst = before === null || before.dimensions === 0;
    const mark = before !== null && isFirst ? before.mark : newMark();
    if (dimensions !== undefined) await collections.make(model, dimensions);
    const state = { model, dimensions: dimensions ?? 0, mark };
    await connection.write(names.state, [vectorsRow(state)]);
    return (this.state = state);
  }

  private async mark(collection: string, marked: readonly Pick<DocumentRow, "id" | "vec">[]): Promise<void> {
    const outcomes = await this.options.connection.import(collection, marked, "update");
    const failed = outcomes.find(({ success, code }) => !success && code !== notThere);
    if (failed !== undefined)
      throw new TypesenseFailure("Typesense did not take the mark of a document's vectors.", failed.code ?? null);
  }
}

const newMark = (): string => shortHash(randomBytes(16).toString("hex"));

function vectorRowsOf({ document: { row }, passages }: EmbeddedDocument<UnembeddedRow>): readonly VectorRow[] {
  return passages.map(({ passage, vector }, number) => ({
    ...row,
    ...{ id: `${row.id}v${number}`, doc: row.id, start: passage.start, end: passage.end },
    v: Array.from(vector, (value) => Number(value.toPrecision(digits))),
  }));
}

/**
 * The collections of vectors of this code's version in one namespace: none, or one for the model that documents are
 * shown to. They are dropped with their version.
 */
export class VectorCollections {
  private known: readonly string[] | null = null;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly namespace: string,
  ) {}

  nameFor(model: string, dimensions: number): string {
    return vectorsNameOf(this.namespace, model, dimensions);
  }

  async has(name: string): Promise<boolean> {
    return (await this.names()).includes(name);
  }

  /** Makes an empty collection for vectors of this model and length, and drops every other, and what it held itself. */
  async make(model: string, dimensions: number): Promise<void> {
    for (const name of await this.names()) await this.connection.dropCollection(name);
    this.known = null;
    const name = this.nameFor(model, dimensions);
    await this.connection.createCollection({ name, fields: [...vectorFields(dimensions)] });
    this.known = [name];
  }

  /** Removes the vectors of these documents, of whatever model; as many as fit into an address. */
  async removeOf(documents: readonly string[]): Promise<void> {
    if (documents.length === 0) return;
    for (const name of await this.names()) {
      try {
        await this.connection.remove(name, `doc:=[${documents.join(",")}]`);
      } catch (error) {
        if (!isMissing(error)) throw error;
        this.known = null;
      }
    }
  }

  /** What is remembered may be wrong. */
  forget(): void {
    this.known = null;
  }

  private async names(): Promise<readonly string[]> {
    const prefix = vectorsPrefix(this.namespace);
    this.known ??= (await this.connection.collectionNames()).filter((name) => name.startsWith(prefix));
    return this.known;
  }
}

/** The most that is counted, as the port has it for every engine. */
const mostCounted = 100_000;

/** How many documents carry no mark of vectors of this model. */
export async function countWithoutVectors(
  connection: TypesenseConnection,
  { documents: collection, state }: CollectionNames,
  model: string,
): Promise<number> {
  const vectors = await readVectorsState(connection, state);
  const unmarked = vectors?.model === model ? { filter_by: `vec:!=${vectors.mark}` } : {};
  const [answer] = await connection.search([{ collection, q: "*", ...unmarked, per_page: 0 }]);
  return Math.min(mostCounted, answer?.found ?? 0);
}
