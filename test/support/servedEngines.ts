import { join } from "node:path";
import { openSearchIndex as openOnSqlite } from "../adapters/searchIndex/sqlite/openSearchIndex.js";
import { openSearchIndex as openOnTypesense } from "../adapters/searchIndex/typesense/openSearchIndex.js";
import { damageOfServers, damageOfSqlite, type Damage } from "./damage.js";
import { newNamespace } from "./newNamespace.js";
import { readModelEngines } from "./readModelEngines.js";
import type { RedisPlace } from "./redisReadModels.js";
import { ServedReadModels } from "./servedReadModels.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { TypesenseDouble } from "./typesense/typesenseDouble.js";

/** The engines of all read models together: everything embedded, and Redis with Typesense. */
export function describeOnServedEngines(suite: (open: () => Promise<ServedReadModels>, damage: (served: ServedReadModels) => Damage) => void): void {
  const [sqlite, redis] = readModelEngines;
  sqlite?.describe(() =>
    suite(
      async () => {
        const folder = temporaryFolder("served");
        const file = join(folder.path, "search.sqlite");
        return new ServedReadModels(await sqlite.open(), await openOnSqlite(file, () => folder.remove()), { file });
      },
      ({ models, searchPlace }) => damageOfSqlite(models.place as { file: string }, searchPlace as { file: string }),
    ),
  );
  redis?.describe(() => {
    let double: TypesenseDouble;
    before(async () => {
      double = await TypesenseDouble.start();
    });
    after(() => double.stop());
    suite(
      async () => {
        const namespace = newNamespace();
        return new ServedReadModels(await redis.open(), await openOnTypesense(double, namespace), { namespace });
      },
      ({ models, searchPlace }) => damageOfServers(models.place as RedisPlace, { ...(searchPlace as { namespace: string }), url: double.url, apiKey: double.apiKey }),
    );
  });
}
