import type { PastSearchReader, SearchAmong } from "../../../audit/ports/pastSearch.js";
import type { ParkedEvents } from "../../../../projections/ports.js";
import type {
  Counted,
  Counts,
  SearchReader,
  HeldDocument,
  HeldPage,
  StoredDocument,
} from "../../../../queries/ports.js";
import { everything, type SearchFilters, withoutOwnFilter, type TextPart } from "../../../readModels/search.js";
import { AccessFilters, narrowing, servedWithin, type Visibility } from "./accessFilter.js";
import { FullTextSearch } from "./fullTextSearch.js";
import type { TypesenseConnection } from "./connection.js";
import { Directory, toDetails } from "./directory.js";
import { datasourceKey, documentKey } from "./encoding.js";
import { FollowedLexicon } from "./lexiconRows.js";
import { openCollections, type CollectionsOptions } from "./collections.js";
import type { CollectionNames, DocumentRow, StoredHitSummary } from "./schema.js";
import { answering, ServedPosition } from "./servedPosition.js";
import { readParked } from "./stateCollection.js";
import { Suggestions } from "./suggestions.js";
import { countWithoutVectors } from "./vectors/vectorRows.js";
import { parseSearchId, type DatasourceName, type DocumentId, type PrincipalToken } from "../../../shared/ids.js";
import { ReadModelIncomplete, ReadModelUnavailable } from "../../../shared/failures.js";
import { StoredTexts } from "./storedTexts.js";

interface ReaderOptions extends CollectionsOptions {
  /** Milliseconds that a request may take. 5,000 where left out. */
  readonly requestTimeoutMs?: number;
}

/** The collections of a namespace, shared by readers. */
interface OpenedReading {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly served: ServedPosition;
  readonly directory: Directory;
  readonly fullText: FullTextSearch;
  readonly followed: FollowedLexicon;
  close(): void;
}

/** An export of all access classes may take long: a million of them are some hundred megabytes. */
const exportFactor = 12;

/** Opens the collections of a namespace for reading. Rejects as the readers say. */
async function openReading(options: ReaderOptions): Promise<OpenedReading> {
  const { requestTimeoutMs = 5_000 } = options;
  const timeFor = (path: string): number =>
    path.endsWith("/export") ? requestTimeoutMs * exportFactor : requestTimeoutMs;
  const { connection, collections } = await openCollections(options, timeFor);
  const { names } = collections;
  const served = new ServedPosition(connection, collections);
  const directory = new Directory(connection, names.state);
  // Read before the first search needs it. Where there is nothing yet, or no answer, that search reads it.
  directory.refresh().catch(() => undefined);
  const followed = new FollowedLexicon(connection, names.state);
  followed.open().catch(() => undefined);
  const { namespace } = options;
  const fullText = new FullTextSearch({ connection, names, directory, served, followed, namespace });
  const close = (): void => {
    served.close();
    connection.close();
  };
  return { connection, names, served, directory, fullText, followed, close };
}

/** A reader that also tells the engine's own effort. */
interface TypesenseSearchReader extends SearchReader {
  readonly parked: ParkedEvents;
  readonly counted: Counted;
  /** How many milliseconds the engine says that it took for all searches so far. */
  engineMs(): number;
  close(): Promise<void>;
}

/**
 * Opens the search collections of a namespace for reading; they may still be missing. Rejects, within the time allowed,
 * with a sentence where the server cannot be reached, refuses the key, or holds something else by that name.
 */
export async function openTypesenseSearchReader(options: ReaderOptions): Promise<TypesenseSearchReader> {
  const { connection, names, served, directory, fullText, followed, close } = await openReading(options);
  const suggestions = new Suggestions({ connection, names, directory, served, followed });
  const access = new AccessFilters(directory);
  const pointReads = new PointReads(connection, names, directory, served);
  return {
    search: (request) => answering(() => fullText.search(request, () => access.of(request.held, request.filters))),
    suggest: (request) => answering(() => suggestions.of(request, () => access.of(request.held, everything))),
    find: (datasource, documentId) => answering(() => pointReads.find(datasource, documentId)),
    text: (datasource, documentId) => answering(() => pointReads.text(datasource, documentId)),
    textPart: (datasource, documentId, part) => answering(() => pointReads.textPart(datasource, documentId, part)),
    searchedBy: (datasource, documentId, tokens) =>
      answering(() => pointReads.searchedBy(datasource, documentId, tokens)),
    withoutVectors: (model) => answering(() => countWithoutVectors(connection, names, model)),
    documents: (after) => answering(() => pointReads.list(after)),
    position: () => answering(() => served.position()),
    reached: (position, timeoutMs) => served.reached(position, timeoutMs),
    parked: { list: () => answering(() => readParked(connection, names.state)) },
    counted: { counts: () => answering(() => countDocuments(connection, names, directory)) },
    engineMs: () => connection.engineMs,
    close: async () => close(),
  };
}

/** What is left of deleted datasources goes step by step. */
async function countDocuments(
  connection: TypesenseConnection,
  { documents: collection }: CollectionNames,
  directory: Directory,
): Promise<Counts> {
  await directory.refresh();
  const present = [...directory.datasources.values()].filter(({ status }) => status !== "deleted");
  const answers = await connection.search(
    present.map(({ datasourceId }) => ({
      collection,
      q: "*",
      filter_by: `ds:=${datasourceKey(datasourceId)}`,
      per_page: 0,
    })),
  );
  return { documents: answers.reduce((sum, { found }) => sum + found, 0) };
}

/** A filter that names a hundred thousand documents is megabytes long, and is sent several times. */
const pastTimeoutMs = 60_000;

/**
 * Reads the search collections of a namespace for questions about the past, on connections of its own. Rejects as
 * `openTypesenseSearchReader` does.
 */
export async function openTypesensePastSearchReader(
  options: ReaderOptions,
): Promise<PastSearchReader & { close(): Promise<void> }> {
  const { directory, fullText, close } = await openReading({ requestTimeoutMs: pastTimeoutMs, ...options });
  return {
    searchAmong: (request) => answering(() => fullText.search(request, () => visibilityAmong(request, directory))),
    close: async () => close(),
  };
}

/**
 * Which documents a search among named ones may show: those whose datasource is served and within the filters. Only
 * auditors ask so. Words weigh what they weigh in all documents, because a filter of megabytes for each word would take
 * seconds.
 */
function visibilityAmong({ among, filters }: Pick<SearchAmong, "among" | "filters">, directory: Directory): Visibility {
  const idsWithin = (narrowed: SearchFilters): ReadonlySet<string> => {
    const served = servedWithin(directory, narrowed.datasources);
    const named = among.filter(({ datasourceId }) => served.has(datasourceKey(datasourceId)));
    return new Set(
      named.flatMap(({ datasourceId, documentIds }) => documentIds.map((id) => documentKey(datasourceId, id))),
    );
  };
  const filterFor = (narrowed: SearchFilters, within: ReadonlySet<string>): string | null =>
    within.size === 0
      ? null
      : [`id:=[${[...within].join(",")}]`, ...narrowing(narrowed, servedWithin(directory, narrowed.datasources))].join(
          " && ",
        );
  const ids = idsWithin(filters);
  return {
    population: { key: "all documents", isEmpty: false, filter: null, byClass: null },
    stamp: directory.stamp,
    filter: filterFor(filters, ids),
    byClass: null,
    countedBy: (field) => {
      const narrowed = withoutOwnFilter(field, filters);
      return filterFor(narrowed, idsWithin(narrowed));
    },
    shows: (_accessClass, datasource, id) => ids.has(id) && directory.datasources.get(datasource)?.status === "served",
  };
}

/** How often a text is read again that is replaced while it is read. */
const attempts = 5;
const documentsPerPage = 250;
const detailFields = "id,card,cls,ds,position";
const textFields = "id,text,position,parts";

/** Reads one served document by its id. */
class PointReads {
  private readonly texts: StoredTexts;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly directory: Directory,
    private readonly served: ServedPosition,
  ) {
    this.texts = new StoredTexts(connection, names.texts);
  }

  /** null where the index holds no such document. */
  async find(datasource: DatasourceName, documentId: DocumentId): Promise<StoredDocument | null> {
    const row = await this.read(datasource, documentId, detailFields);
    if (row === null) return null;
    if (this.directory.classOf(row.cls) === null) await this.directory.refresh();
    const accessClass = this.directory.classOf(row.cls);
    if (accessClass === null) throw new ReadModelIncomplete("The search index is behind on who may see a document.");
    return {
      details: toDetails(JSON.parse(row.card) as StoredHitSummary, this.directory, row.ds),
      tokens: accessClass.tokens,
    };
  }

  /** null where the index holds no such document. */
  async text(datasource: DatasourceName, documentId: DocumentId): Promise<string | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.read(datasource, documentId, textFields);
      if (row === null) return null;
      const text = await this.texts.whole(row);
      if (text !== null) return text;
    }
    throw new ReadModelUnavailable("The text is being replaced again and again.");
  }

  /** null where the index holds no such document, or its text no such part. */
  async textPart(datasource: DatasourceName, documentId: DocumentId, part: number): Promise<TextPart | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.read(datasource, documentId, textFields);
      const parts = Math.max(1, row?.parts ?? 1);
      if (row === null || part >= parts) return null;
      const text = await this.texts.part(row, part);
      if (text !== null) return { text, parts };
    }
    throw new ReadModelUnavailable("The text is being replaced again and again.");
  }

  /**
   * Documents in the order of their positions. `after` is a position, and the page of those that begin there: more than
   * a page of them may have one position.
   */
  async list(after: string | null): Promise<HeldPage<HeldDocument>> {
    const [from = "0", page = "1"] = after?.split(" ") ?? [];
    await this.directory.refresh();
    const search = {
      ...{ collection: this.names.documents, q: "*", filter_by: `position:>=${from}` },
      ...{ sort_by: "position:asc", per_page: documentsPerPage, page: Number(page) },
      include_fields: "card,ds,position",
    };
    const { answers } = await this.served.ask<Pick<DocumentRow, "card" | "ds" | "position">>([search]);
    const rows = (answers[0]?.hits ?? []).map(({ document }) => document);
    const items = rows.flatMap(({ ds, card }) => {
      const of = this.directory.datasources.get(ds);
      const id = parseSearchId((JSON.parse(card) as StoredHitSummary).id);
      return id === null || of?.status !== "served" ? [] : [{ datasourceId: of.datasourceId, ...id }];
    });
    const last = String(rows.at(-1)?.position);
    if (rows.length < documentsPerPage) return { items, next: null };
    return { items, next: last === from ? `${from} ${Number(page) + 1}` : `${last} 1` };
  }

  /** How the collection that searches ask holds a document: by its class, and by its tokens. */
  async searchedBy(
    datasource: DatasourceName,
    documentId: DocumentId,
    tokens: readonly PrincipalToken[],
  ): Promise<"these" | "others" | "nothing"> {
    const incarnation = this.directory.served(datasource);
    if (incarnation === null) return "nothing";
    const filter = `id:=${documentKey(incarnation.datasourceId, documentId)}`;
    const [answer] = await this.connection.search<Pick<DocumentRow, "cls" | "acl">>([
      { collection: this.names.documents, q: "*", filter_by: filter, include_fields: "cls,acl", per_page: 1 },
    ]);
    const row = answer?.hits[0]?.document;
    if (row === undefined) return "nothing";
    if (this.directory.classOf(row.cls) === null) await this.directory.refresh();
    const ofClass = this.directory.classOf(row.cls)?.tokens ?? [];
    const isSame = ofClass.toSorted().join() === tokens.toSorted().join();
    return isSame && this.directory.areNumbersOf(row.acl, tokens) ? "these" : "others";
  }

  /**
   * The row under which a served datasource of this name holds the document. What is known of datasources is at least
   * as new as the question.
   */
  private async read(datasource: DatasourceName, documentId: DocumentId, fields: string): Promise<DocumentRow | null> {
    for (const isLast of [false, true]) {
      const { stamp } = this.directory;
      const incarnation = this.directory.served(datasource);
      const id = incarnation === null ? null : documentKey(incarnation.datasourceId, documentId);
      const searches =
        id === null
          ? []
          : [{ collection: this.names.documents, q: "*", filter_by: `id:=${id}`, include_fields: fields, per_page: 1 }];
      const { answers, state } = await this.served.ask<DocumentRow>(searches);
      if (isLast || state.stamp === stamp) return answers[0]?.hits[0]?.document ?? null;
      await this.directory.refresh();
    }
    return null;
  }
}
