import type { PastSearchReader } from "../../../audit/ports/pastSearch.js";
import { FullTextSearch } from "./fullTextSearch.js";
import { visibilityAmong } from "./namedDocumentFilter.js";
import { openReading, type ReadingOptions } from "./openReading.js";
import { answering } from "./servedPosition.js";

/** A filter that names a hundred thousand documents is megabytes long, and is sent several times. */
const requestTimeoutMs = 60_000;

/**
 * Reads the search collections of a namespace for questions about the past, on connections of its own. Rejects as
 * `openTypesenseSearchReader` does.
 */
export async function openTypesensePastSearchReader(
  options: ReadingOptions,
): Promise<PastSearchReader & { close(): Promise<void> }> {
  const { connection, names, served, directory, close } = await openReading({ requestTimeoutMs, ...options });
  const fullText = new FullTextSearch(connection, names, directory, served, options.namespace);
  return {
    searchAmong: (request) => answering(() => fullText.search(request, () => visibilityAmong(request, directory))),
    close: async () => close(),
  };
}
