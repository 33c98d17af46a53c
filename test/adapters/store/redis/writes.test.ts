import { expect } from "chai";
import * as fc from "fast-check";
import { createClient } from "redis";
import { catalogue } from "../../../../projections/catalogue/readModel.js";
import { groupClosure } from "../../../../projections/groupClosure/project.js";
import { toPosition } from "../../../../src/shared/position.js";
import { accessHistories } from "../../../support/accessHistories.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { CuttableProxy } from "../../../support/cuttableProxy.js";
import { deliver } from "../../../support/givenProjection.js";
import { GrowingLog } from "../../../support/growingLog.js";
import { LeasedProjector } from "../../../support/leasedProjector.js";
import { NaiveAccess } from "../../../support/naiveAccess.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { tokens } from "../../../support/readModelWriters.js";
import { openOnRedis } from "../../../support/readModelEngines.js";
import { holdProjecting, readRedis, type HeldProjecting, type RedisPlace } from "../../../support/redisReadModels.js";
import { recordEvents } from "../../../support/recordEvents.js";
import { describeOnRedis, sharedRedis } from "../../../support/redisServer.js";
import { toEmail } from "../../../../src/shared/ids.js";
import { newNamespace } from "../../../support/newNamespace.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `g${index}`);

describeOnRedis("writing to Redis", () => {
  let place: RedisPlace;
  let held: HeldProjecting;
  beforeEach(async () => {
    place = { url: (await sharedRedis()).url, namespace: newNamespace() };
    held = await holdProjecting(place);
  });
  afterEach(() => held.projecting.close());

  /** The commands that scripts give while `work` runs, less their names' prefix. */
  async function commandsDuring(work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
    const monitor = createClient({ url: place.url });
    await monitor.connect();
    const seen: string[][] = [];
    await monitor.monitor((line) => {
      const words =
        String(line)
          .match(/"(?:[^"\\]|\\.)*"/g)
          ?.map((word) => word.slice(1, -1)) ?? [];
      if (String(line).includes(" lua]") && words.some((word) => word.includes(place.namespace))) seen.push(words);
    });
    await work();
    await held.projecting.lease("other").acquire(AbortSignal.abort());
    await (await sharedRedis()).command("PING");
    monitor.destroy();
    return seen;
  }

  it("rewrites for one edge the rows of the groups that it moves, and no other", async () => {
    const under = { projection: groupClosure, writer: held.writers.groupClosure };
    const chain = names(2_000);
    await deliver(
      under,
      recordEvents([
        wiki.opened(),
        ...chain.map((name) => wiki.created(name)),
        ...[11, 12, 13].map((member) => wiki.nests(`g${member}`, "g10")),
      ]),
    );
    const commands = await commandsDuring(() => deliver(under, recordEvents([wiki.nests("g10", "g5")], 100_000)));
    const rows = commands.filter(([command, key]) => command === "HSET" && key?.includes(":groups:") === true);
    expect(
      rows
        .flatMap((words) => words.slice(2).filter((_word, at) => at % 2 === 0))
        .map(Number)
        .sort((a, b) => a - b),
    ).to.deep.equal([10, 11, 12, 13]);
    const written = commands.filter(
      ([command]) => !["GET", "HGET", "HMGET", "EXISTS", "PUBLISH"].includes(command ?? ""),
    );
    expect(
      written.map(
        ([command, key]) =>
          `${command} ${key
            ?.split(":")
            .slice(1)
            .filter((part) => !/^[0-9a-f]{12}$/.test(part))
            .join(":")}`,
      ),
    ).to.deep.equal(["HSET state", `HSET rows:groups:${datasourceId}`, "XADD rows:journal"]);
  });

  it("lets a datasource of many groups go in one step that frees nothing itself", async () => {
    const under = { projection: groupClosure, writer: held.writers.groupClosure };
    await deliver(under, recordEvents([wiki.opened(), wiki.registered("ann")]));
    const created = recordEvents(
      names(10_000).map((name) => wiki.created(name)),
      100,
    );
    await deliver(under, created);
    const readers = await readRedis(place);
    try {
      expect((await readers.access.heldTokens(wiki.email("ann"))).tokens).to.have.length(2);
      const commands = await commandsDuring(() => deliver(under, recordEvents([wiki.deleted()], 1_000_000)));
      expect((await readers.access.heldTokens(wiki.email("ann"))).tokens).to.have.length(0);
      expect(commands.filter(([command]) => command === "UNLINK")).to.have.length(3);
      expect(commands.filter(([command]) => command === "DEL")).to.deep.equal([]);
      // Renewals of the lease come in between.
      expect(commands.length).to.be.lessThan(100);
    } finally {
      readers.close();
    }
  });

  it("keeps parked events beside the effect", async () => {
    const parked = {
      position: toPosition(4),
      stream: "datasource-wiki",
      eventType: "SubAdded",
      scope: "datasource wiki",
      error: "no",
    };
    const changes = recordEvents([wiki.opened()]).flatMap((event) => catalogue.project(event));
    const after = await held.writers.catalogue.checkpoint();
    expect(
      await held.writers.catalogue.apply({ after, position: parked.position, changes, parked: [parked] }),
    ).to.equal("applied");
    const server = await sharedRedis();
    const store = await server.command<string>("HGET", `{${place.namespace}}:state`, "store");
    const { position, ...rest } = parked;
    expect(
      JSON.parse(
        await server.command<string>(
          "HGET",
          `{${place.namespace}}:rows:${store}:parked:catalogue`,
          position.toString(),
        ),
      ),
    ).to.deep.equal(rest);
  });

  for (const cut of ["request", "answer"] as const) {
    it(`counts a commit once whose ${cut} is lost with the connection`, async () => {
      const proxy = await CuttableProxy.start((await sharedRedis()).port);
      const log = new GrowingLog();
      log.append(wiki.opened(), wiki.created("staff"), wiki.registered("ann"));
      const projector = await LeasedProjector.start({ url: proxy.url, namespace: `${place.namespace}-cut` }, log);
      const readers = await readRedis({ url: place.url, namespace: `${place.namespace}-cut` }, () => log.end);
      await readers.access.reached(log.end, 10_000);
      for (let round = 0; round < 4; round++) {
        proxy.cutNext(cut, "groupClosure");
        log.append(
          round % 2 === 0 ? wiki.joins("ann", "staff") : wiki.leaves("ann", "staff"),
          wiki.created(`g${round}`),
        );
        expect(await readers.access.reached(log.end, 10_000)).to.equal(true);
        expect(
          await readers.access.holdsAny(datasourceId, wiki.email("ann"), [tokens.group(datasourceId, "staff")]),
        ).to.equal(round % 2 === 0);
      }
      expect(projector.failures.length).to.be.greaterThan(0);
      await projector.stop();
      readers.close();
      await proxy.stop();
    });
  }

  it("comes to the right rows whenever connections break", async () => {
    const universe = ["ann", "bob", "cid"].map((name) => toEmail(`${name}@example.org`));
    const property = fc.asyncProperty(
      accessHistories,
      fc.array(fc.constantFrom("request", "answer"), { minLength: 1, maxLength: 3 }),
      async (events, cuts) => {
        const proxy = await CuttableProxy.start((await sharedRedis()).port);
        const cutPlace = { url: proxy.url, namespace: newNamespace() };
        const log = new GrowingLog();
        const projector = await LeasedProjector.start(cutPlace, log, 10);
        const readers = await readRedis({ ...cutPlace, url: place.url }, () => log.end);
        const naive = new NaiveAccess();
        for (const [index, event] of events.entries()) {
          if (index % 20 === 0) proxy.cutNext(cuts[(index / 20) % cuts.length] as "request" | "answer", "EVALSHA");
          log.append(event);
          naive.follow(event);
        }
        expect(await readers.access.reached(log.end, 30_000)).to.equal(true);
        for (const email of universe)
          expect([...(await readers.access.heldTokens(email)).tokens].sort()).to.deep.equal(
            naive.heldTokens(email, tokens),
          );
        await projector.stop();
        readers.close();
        await proxy.stop();
      },
    );
    await fc.assert(property, propertyRuns(8));
  });

  it("gives two groups that change names with each other each the other's members", async () => {
    const readModels = await openOnRedis();
    const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
    const { access } = readModels.readers;
    await deliver(
      under,
      recordEvents([
        wiki.opened(),
        wiki.created("a"),
        wiki.created("b"),
        wiki.registered("ann"),
        wiki.joins("ann", "a"),
      ]),
    );
    await deliver(
      under,
      recordEvents([wiki.renamed("a", "c"), wiki.renamed("b", "a as b"), wiki.renamed("a", "b")], 100),
    );
    expect(await access.holdsAny(datasourceId, wiki.email("ann"), [tokens.group(datasourceId, "a")])).to.equal(false);
    expect(await access.holdsAny(datasourceId, wiki.email("ann"), [tokens.group(datasourceId, "b")])).to.equal(true);
    await readModels.close();
  });
});
