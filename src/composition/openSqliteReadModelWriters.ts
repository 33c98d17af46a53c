import { openSqliteReadModelStores } from "../adapters/store/sqlite/openSqliteReadModelStores.js";
import { createReadModelWriters, type ReadModelWriters, type ReadModelWritersOptions } from "./readModelWriters.js";

/** The writers of everything that lives in `readModels.sqlite`, on one connection: for one thread. */
export function openSqliteReadModelWriters({
  file,
  ...options
}: ReadModelWritersOptions & { readonly file: string }): ReadModelWriters & { close(): void } {
  const stores = openSqliteReadModelStores({ file });
  return { ...createReadModelWriters(stores, options), close: () => stores.close() };
}
