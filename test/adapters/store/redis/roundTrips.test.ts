import { expect } from "chai";
import { catalogue } from "../../../../projections/catalogue/readModel.js";
import { groupClosure } from "../../../../projections/groupClosure/project.js";
import { toCredentialId } from "../../../../src/shared/ids.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { deliver } from "../../../support/givenProjection.js";
import { tokens } from "../../../support/readModelWriters.js";
import { holdProjecting, readRedis, type HeldProjecting } from "../../../support/redisReadModels.js";
import { recordEvents } from "../../../support/recordEvents.js";
import { describeOnRedis, RedisServer } from "../../../support/redisServer.js";
import { newNamespace } from "../../../support/newNamespace.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const staff = [tokens.group(datasourceId, "staff")];
const quietLease = { ttlMs: 60_000, renewMs: 60_000, pollMs: 20 };

describeOnRedis("reading from Redis again", () => {
  let server: RedisServer;
  let held: HeldProjecting;
  let readers: Awaited<ReturnType<typeof readRedis>>;
  beforeEach(async () => {
    server = await RedisServer.start();
    const place = { url: server.url, namespace: newNamespace() };
    held = await holdProjecting(place, { leaseTiming: quietLease });
    readers = await readRedis(place);
    await project([
      wiki.opened(),
      wiki.created("staff"),
      wiki.registered("ann"),
      wiki.joins("ann", "staff"),
      wiki.registered("bob"),
    ]);
    await deliver({ projection: catalogue, writer: held.writers.catalogue }, recordEvents([wiki.opened()]));
    await check("ann");
  });
  afterEach(async () => {
    readers.close();
    held.projecting.close();
    await server.stop();
  });

  let last = 0;
  async function project(events: Parameters<typeof recordEvents>[0]): Promise<void> {
    last += 1_000;
    await deliver({ projection: groupClosure, writer: held.writers.groupClosure }, recordEvents(events, last));
  }

  /** What check-access asks, one after the other. */
  async function check(name: string): Promise<boolean> {
    await readers.credentials.find(toCredentialId("unknown")).then(() => readers.catalogue.find(wiki.datasource.name));
    return checkAgain(name);
  }

  async function checkAgain(name: string): Promise<boolean> {
    expect(await readers.catalogue.find(wiki.datasource.name)).to.deep.equal(wiki.datasource);
    expect(await readers.access.isParked(datasourceId)).to.equal(false);
    return readers.access.holdsAny(datasourceId, wiki.email(name), staff);
  }

  /** How often each command was given by readers while `work` ran. */
  async function commandsDuring(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
    await server.command("CONFIG", "RESETSTAT");
    await work();
    const stats = await server.command<string>("INFO", "commandstats");
    const counts = [...stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g)].map(
      ([, command, calls]) => [command as string, Number(calls)] as const,
    );
    return Object.fromEntries(counts.filter(([command]) => !["config", "info", "hello", "client"].includes(command)));
  }

  it("costs one small round trip, however many questions follow from each other", async () => {
    expect(await commandsDuring(() => checkAgain("ann"))).to.deep.equal({ hmget: 1 });
  });

  it("costs one small round trip for all who ask in the same turn of the event loop", async () => {
    expect(await commandsDuring(() => Promise.all(Array.from({ length: 100 }, () => checkAgain("ann"))))).to.deep.equal(
      { hmget: 1 },
    );
  });

  it("asks anew in every further turn", async () => {
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await checkAgain("ann");
        await new Promise(setImmediate);
      }
    };
    expect(await commandsDuring(turns)).to.deep.equal({ hmget: 3 });
  });

  it("reads only the journal after a commit that concerns others, and the person after one that concerns the person", async () => {
    await check("bob");
    await project([wiki.joins("bob", "staff")]);
    expect(await commandsDuring(() => checkAgain("ann"))).to.deep.equal({
      hmget: 2,
      multi: 1,
      exec: 1,
      hgetall: 1,
      xrange: 1,
    });
    expect(await commandsDuring(() => checkAgain("bob"))).to.deep.equal({
      hmget: 2,
      multi: 1,
      exec: 1,
      hgetall: 1,
      xrange: 1,
      hget: 1,
    });
    expect(await checkAgain("bob")).to.equal(true);
  });
});
