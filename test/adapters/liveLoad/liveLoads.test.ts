import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { LiveLoads } from "../../../projections/ports.js";
import { openFolderLiveLoads } from "../../../src/adapters/liveLoad/openFolderLiveLoads.js";
import { openRedisLiveLoads } from "../../../src/adapters/redis/openRedisLiveLoads.js";
import { newNamespace } from "../../support/newNamespace.js";
import { dropNamespace } from "../../support/redisRows.js";
import { anyRedisUrl, describeOnAnyRedis } from "../../support/redisServer.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

/** Each process opens them for itself. */
function liveLoadsContract(open: () => LiveLoads): void {
  it("tells every process the last that each of them has told", async () => {
    const [one, other] = [open(), open()];
    expect([...(await one.list())]).to.deep.equal([]);
    await one.tell("one", { told: 1, underWay: 2, slowdown: null });
    await one.tell("one", { told: 2, underWay: 0, slowdown: 1.25 });
    await other.tell("other", { told: 1, underWay: 7, slowdown: null });
    const expected = { one: { told: 2, underWay: 0, slowdown: 1.25 }, other: { told: 1, underWay: 7, slowdown: null } };
    for (const asked of [one, other]) expect(Object.fromEntries(await asked.list())).to.deep.equal(expected);
    one.close();
    other.close();
  });
}

describe("what processes tell each other about how people fare", () => {
  describe("in a folder that they share", () => {
    const folder = temporaryFolder("live-load");
    after(() => folder.remove());
    liveLoadsContract(() => openFolderLiveLoads({ folder: join(folder.path, "load") }));

    it("is passed over where it cannot be read", async () => {
      const loads = openFolderLiveLoads({ folder: folder.path });
      await loads.tell("whole", { told: 1, underWay: 1, slowdown: null });
      writeFileSync(join(folder.path, "half.json"), '{"told":');
      expect([...(await loads.list()).keys()]).to.deep.equal(["whole"]);
    });
  });

  describeOnAnyRedis("in Redis", () => {
    const namespace = newNamespace();
    let url: string;
    after(() => dropNamespace({ url, namespace }));
    before(async () => (url = await anyRedisUrl()));
    liveLoadsContract(() => openRedisLiveLoads({ url, namespace }));
  });
});
