import { expect } from "chai";
import { createClient } from "redis";
import { dropRedisTenant } from "../../../../src/adapters/store/redis/redisStorages.js";
import { describeOnRedis, RedisServer } from "../../../support/redisServer.js";

describeOnRedis("what a tenant has in Redis", () => {
  let server: RedisServer;
  before(async () => (server = await RedisServer.start()));
  after(() => server.remove());

  it("goes with all its versions when a backup is restored, and nothing of another tenant does", async () => {
    const client = await createClient({ url: server.url }).connect();
    try {
      const others = ["{acme-2}:rows:groupClosure", "{acmes}:state", "{other.groupClosure-2}:state"];
      for (const key of ["{acme}:leases:store", "{acme}:rows:1:people:x", "{acme.groupClosure-2}:state", ...others])
        await client.set(key, "x");
      await dropRedisTenant({ url: server.url, namespace: "acme" });
      expect((await client.keys("*")).sort()).to.deep.equal(others.sort());
    } finally {
      client.destroy();
    }
  });
});
