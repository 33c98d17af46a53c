import { join } from "node:path";
import type { TypesenseServer } from "../../src/adapters/search/typesense/connection.js";
import { openSearchIndex as openOnSqlite } from "../adapters/search/sqlite/openSearchIndex.js";
import { openSearchIndex as openOnTypesense } from "../adapters/search/typesense/openSearchIndex.js";
import { damageOfServers, damageOfSqlite, type Damage } from "./damage.js";
import { namedEngines } from "./namedEngines.js";
import { newNamespace } from "./newNamespace.js";
import { readModelEngines, type ReadModelEngine } from "./readModelEngines.js";
import type { RedisPlace } from "./redisReadModels.js";
import { ServedReadModels } from "./servedReadModels.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { TypesenseDouble } from "./typesense/typesenseDouble.js";

/**
 * The engines of all read models together: everything embedded, and Redis with Typesense: as recorded, and a real one
 * where the environment names it.
 */
export function describeOnServedEngines(
  suite: (open: () => Promise<ServedReadModels>, damage: (served: ServedReadModels) => Damage) => void,
): void {
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
    suiteOnServers(redis, () => double, suite);
  });
  redis?.describe(() => {
    const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = namedEngines;
    if (url === undefined || apiKey === undefined)
      describe.skip("and the Typesense that the environment names: TYPESENSE_URL and TYPESENSE_API_KEY are not set", () =>
        suiteOnServers(redis, () => ({ url: "", apiKey: "" }), suite));
    else
      describe("and the Typesense that the environment names", () =>
        suiteOnServers(redis, () => ({ url, apiKey }), suite));
  });
}

type Suite = Parameters<typeof describeOnServedEngines>[0];

function suiteOnServers(redis: ReadModelEngine, server: () => TypesenseServer, suite: Suite): void {
  suite(
    async () => {
      const namespace = newNamespace();
      return new ServedReadModels(await redis.open(), await openOnTypesense(server(), namespace), { namespace });
    },
    ({ models, searchPlace }) => {
      const { url, apiKey } = server();
      return damageOfServers(models.place as RedisPlace, { ...(searchPlace as { namespace: string }), url, apiKey });
    },
  );
}
