import { openRedisReadModelStores } from "../../../src/adapters/readStore/redis/openRedisReadModelStores.js";
import { leaseContract } from "../../contracts/leaseContract.js";
import { newNamespace } from "../../support/redisReadModels.js";
import { describeOnRedis, sharedRedis } from "../../support/redisServer.js";

const leaseTiming = { ttlMs: 600, renewMs: 100, pollMs: 20 };

describeOnRedis("a lease in Redis", () => {
  leaseContract(async () => {
    const place = { url: (await sharedRedis()).url, namespace: newNamespace(), leaseTiming };
    const [first, second] = await Promise.all([openRedisReadModelStores(place), openRedisReadModelStores(place)]);
    return {
      first: (name) => first.lease(name),
      second: (name) => second.lease(name),
      killFirst: () => first.close(),
      close: () => {
        first.close();
        second.close();
      },
    };
  });
});
