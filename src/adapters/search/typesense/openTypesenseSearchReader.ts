import type { ParkedEvents } from "../../../../projections/ports.js";
import type { Counted, Counts, SearchReader } from "../../../../queries/ports.js";
import { everything } from "../../../readModels/search.js";
import { AccessFilters } from "./accessFilter.js";
import { FullTextSearch } from "./fullTextSearch.js";
import type { TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { datasourceKey } from "./encoding.js";
import { openReading, type ReadingOptions } from "./openReading.js";
import { PointReads } from "./pointReads.js";
import type { CollectionNames } from "./schema.js";
import { answering } from "./servedPosition.js";
import { readParked } from "./stateCollection.js";
import { Suggestions } from "./suggestions.js";
import { countWithoutVectors } from "./vectors/countWithoutVectors.js";

type TypesenseSearchReaderOptions = ReadingOptions;

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
export async function openTypesenseSearchReader(options: TypesenseSearchReaderOptions): Promise<TypesenseSearchReader> {
  const { connection, names, served, directory, close } = await openReading(options);
  const fullText = new FullTextSearch(connection, names, directory, served, options.namespace);
  const suggestions = new Suggestions({ connection, names, directory, served });
  const access = new AccessFilters(directory);
  const pointReads = new PointReads(connection, names.texts, directory, served);
  return {
    search: (request) => answering(() => fullText.search(request, () => access.of(request.held, request.filters))),
    suggest: (request) => answering(() => suggestions.of(request, () => access.of(request.held, everything))),
    find: (datasource, documentId) => answering(() => pointReads.find(datasource, documentId)),
    text: (datasource, documentId) => answering(() => pointReads.text(datasource, documentId)),
    textPart: (datasource, documentId, part) => answering(() => pointReads.textPart(datasource, documentId, part)),
    searchedBy: (datasource, documentId, tokens) =>
      answering(() => pointReads.searchedBy(names.documents, datasource, documentId, tokens)),
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
