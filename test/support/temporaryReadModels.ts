import { join } from "node:path";
import { openSqliteReadModels } from "../../src/adapters/store/sqlite/sqliteStorages.js";
import { openReadModelWriters, type WriterSettings } from "./readModelWriters.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** `readModels.sqlite` in a folder of its own, open for writing and for reading. */
export function openTemporaryReadModels(settings: WriterSettings = {}) {
  const folder = temporaryFolder("read-models");
  const file = join(folder.path, "readModels.sqlite");
  let writers = openReadModelWriters(file, settings);
  const readers = openSqliteReadModels({ file });
  return {
    file,
    readers,
    get writers() {
      return writers;
    },
    /** As a process does that ends and is started again. */
    restartWriters(): void {
      writers.close();
      writers = openReadModelWriters(file, settings);
    },
    close(): void {
      readers.close();
      writers.close();
      folder.remove();
    },
  };
}
