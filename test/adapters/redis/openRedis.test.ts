import { expect } from "chai";
import { openRedisReadModels } from "../../../src/adapters/store/redis/redisStorages.js";
import { beginning } from "../../../src/shared/position.js";
import { ReadModelUnavailable } from "../../../src/shared/failures.js";
import { holdProjecting } from "../../support/redisReadModels.js";
import { describeOnRedis, RedisServer, sharedRedis } from "../../support/redisServer.js";
import { newNamespace } from "../../support/newNamespace.js";

const logHead = async () => beginning;

describeOnRedis("opening a Redis", () => {
  let namespace: string;
  beforeEach(() => {
    namespace = newNamespace();
  });

  const refusal = async (url: string, connectTimeoutMs = 10_000): Promise<string> =>
    openRedisReadModels({ url, namespace, logHead, connectTimeoutMs }).then(
      (readers) => {
        readers.close();
        return "opened";
      },
      (error: Error) => error.message,
    );

  it("says within its time that there is none", async () => {
    expect(await refusal("redis://user:secret@127.0.0.1:1", 300)).to.equal(
      "Redis at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.",
    );
  });

  it("says what an address looks like", async () => {
    for (const url of ["localhost:6379", "http://localhost", "redis://:x"])
      expect(await refusal(url)).to.equal("The address of Redis must be a URL that begins with redis:// or rediss://.");
  });

  it("says at once that the password is wrong", async () => {
    const server = await RedisServer.start();
    await server.command("CONFIG", "SET", "requirepass", "right");
    expect(await refusal(`redis://:wrong@127.0.0.1:${server.port}`)).to.match(
      /^Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/,
    );
    expect(await refusal(server.url)).to.match(/cannot be used: NOAUTH/);
    expect(await refusal(`redis://:right@127.0.0.1:${server.port}`)).to.equal("opened");
    await server.stop();
  });

  it("refuses a namespace of another product, and one in another format", async () => {
    const server = await sharedRedis();
    await server.command("HSET", `{${namespace}}:state`, "product", "somebody else's", "format", "7");
    expect(await refusal(server.url)).to.equal(
      `The namespace "${namespace}" in the Redis at 127.0.0.1:${server.port} belongs to somebody else's. Choose another namespace.`,
    );
    await server.command("HSET", `{${namespace}}:state`, "product", "enterprise-search");
    expect(await refusal(server.url)).to.contain("is in format 7, and this program knows 1");
    await server.command("DEL", `{${namespace}}:state`);
    await server.command("SET", `{${namespace}}:state`, "a text");
    expect(await refusal(server.url)).to.contain("belongs to another product");
  });

  it("refuses a Redis that drops any key when its memory is full", async () => {
    const server = await RedisServer.start();
    await server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    expect(await refusal(server.url)).to.contain("maxmemory-policy allkeys-lru");
    await server.stop();
  });

  it("refuses a replica, and answers nothing from a server that became one", async () => {
    const server = await RedisServer.start();
    const readers = await openRedisReadModels({ url: server.url, namespace, logHead });
    expect(await readers.catalogue.list()).to.deep.equal([]);
    await server.command("REPLICAOF", "127.0.0.1", "1");
    expect(await refusal(server.url)).to.contain("is a replica");
    // As Sentinel does with the clients of a primary that it replaces.
    for (const type of ["normal", "pubsub"]) await server.command("CLIENT", "KILL", "TYPE", type);
    for (let round = 0; round < 10; round++) {
      const error = await readers.catalogue.list().catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(ReadModelUnavailable);
      await new Promise(setImmediate);
    }
    await server.command("REPLICAOF", "NO", "ONE");
    expect(await readers.catalogue.reached(beginning, 10_000)).to.equal(true);
    readers.close();
    await server.stop();
  });

  it("takes its own namespace again", async () => {
    const { url } = await sharedRedis();
    const held = await holdProjecting({ url, namespace });
    await held.stores.catalogue.checkpoint();
    held.projecting.close();
    expect(await refusal(url)).to.equal("opened");
  });
});
