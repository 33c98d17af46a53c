import { join } from "node:path";
import { openSearchIndex as openOnSqlite } from "../adapters/searchIndex/sqlite/openSearchIndex.js";
import { openSearchIndex as openOnTypesense } from "../adapters/searchIndex/typesense/openSearchIndex.js";
import { readModelEngines } from "./readModelEngines.js";
import { ServedReadModels } from "./servedReadModels.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { TypesenseDouble } from "./typesense/typesenseDouble.js";

/** The engines of all read models together: everything embedded, and Redis with Typesense. */
export function describeOnServedEngines(suite: (open: () => Promise<ServedReadModels>) => void): void {
  const [sqlite, redis] = readModelEngines;
  sqlite?.describe(() =>
    suite(async () => {
      const folder = temporaryFolder("served");
      return new ServedReadModels(await sqlite.open(), await openOnSqlite(join(folder.path, "search.sqlite"), () => folder.remove()));
    }),
  );
  redis?.describe(() => {
    let double: TypesenseDouble;
    before(async () => {
      double = await TypesenseDouble.start();
    });
    after(() => double.stop());
    suite(async () => new ServedReadModels(await redis.open(), await openOnTypesense(double)));
  });
}
