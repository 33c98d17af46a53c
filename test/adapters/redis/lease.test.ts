import { openRedisReadModelStores } from "../../../src/adapters/store/redis/redisStorages.js";
import { leaseContract } from "../../contracts/leaseContract.js";
import { dropNamespace } from "../../support/redisRows.js";
import { anyRedisUrl, describeOnAnyRedis } from "../../support/redisServer.js";
import { newNamespace } from "../../support/newNamespace.js";

const leaseTiming = { ttlMs: 600, renewMs: 100, pollMs: 20 };

describeOnAnyRedis("a lease in Redis", () => {
  leaseContract(async () => {
    const place = { url: await anyRedisUrl(), namespace: newNamespace(), leaseTiming };
    const [first, second] = await Promise.all([openRedisReadModelStores(place), openRedisReadModelStores(place)]);
    return {
      first: (name) => first.lease(name),
      second: (name) => second.lease(name),
      killFirst: () => first.close(),
      close: async () => {
        first.close();
        second.close();
        await dropNamespace(place);
      },
    };
  });
});
