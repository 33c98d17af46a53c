import type { SearchReader } from "../../../queries/ports.js";
import type { PastSearchReader } from "../../audit/ports/pastSearch.js";
import type { OpenedReader } from "../../daemon/ports.js";

type Closeable = { close(): Promise<void> | void };
type OpenedSearch = SearchReader & Pick<OpenedReader<SearchReader>, "parked" | "counted"> & Closeable;

/** One reader of two connections: of what is served, and of what was found at a moment in the past. */
export const withPastSearch = (
  reader: OpenedSearch,
  past: PastSearchReader & Closeable,
): OpenedReader<SearchReader & PastSearchReader> => ({
  reader: Object.assign(reader, { searchAmong: past.searchAmong }),
  parked: reader.parked,
  counted: reader.counted,
  close: async () => {
    await past.close();
    await reader.close();
  },
});
