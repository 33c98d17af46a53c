import { expect } from "chai";
import type { DomainEvent } from "../../../../src/events/domainEvent.js";
import { toCredentialId } from "../../../../src/shared/ids.js";
import { beginning, type Position } from "../../../../src/shared/position.js";
import { ReadModelUnavailable } from "../../../../src/shared/failures.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { CuttableProxy } from "../../../support/cuttableProxy.js";
import { GrowingLog } from "../../../support/growingLog.js";
import { LeasedProjector } from "../../../support/leasedProjector.js";
import { tokens } from "../../../support/readModelWriters.js";
import { readRedis } from "../../../support/redisReadModels.js";
import { describeOnRedis, RedisServer } from "../../../support/redisServer.js";
import { newNamespace } from "../../../support/newNamespace.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const ann = wiki.email("ann");
const staff = [tokens.group(datasourceId, "staff")];
const keyId = toCredentialId("key1");
const keyCreated: DomainEvent = {
  type: "ApiKeyCreated",
  data: { id: keyId, email: ann, secretSha256: "cd", expiresAt: null, roles: [] },
};

const history = [wiki.opened(), wiki.created("staff"), wiki.registered("ann"), wiki.joins("ann", "staff"), keyCreated];

type Readers = Awaited<ReturnType<typeof readRedis>>;

/** What came of a question: an answer, or that there is none at the moment. */
type Outcome = string;

const asked = (question: Promise<unknown>): Promise<Outcome> =>
  question.then(String, (error: unknown) => {
    if (error instanceof ReadModelUnavailable) return "unavailable";
    throw error;
  });

/** Asks everything that decides about access, again and again, until it is over and each was answered. */
async function outcomesUntil(
  isOver: (outcomes: ReadonlySet<Outcome>) => boolean,
  readers: Readers,
): Promise<readonly Outcome[]> {
  const outcomes = new Set<Outcome>();
  for (let isAnswered = false; !isAnswered || !isOver(outcomes);) {
    const answers = await Promise.all([
      asked(readers.access.holdsAny(datasourceId, ann, staff).then((holds) => `holds ${holds}`)),
      asked(readers.access.heldTokens(ann).then((held) => `${held.tokens.length} tokens`)),
      asked(readers.catalogue.find(wiki.datasource.name).then((found) => `datasource ${found?.name}`)),
      asked(readers.credentials.find(keyId).then((found) => `credential of ${found?.email}`)),
    ]);
    for (const answer of answers) outcomes.add(answer);
    isAnswered = !answers.includes("unavailable");
    await new Promise(setImmediate);
  }
  return [...outcomes].filter((outcome) => outcome !== "unavailable").sort();
}

const right = ["holds true", "3 tokens", "datasource wiki", `credential of ${ann}`].sort();

describeOnRedis("a Redis that loses what it held", () => {
  let server: RedisServer;
  let log: GrowingLog;
  let projector: LeasedProjector;
  let readers: Readers;
  let place: { readonly url: string; readonly namespace: string };
  beforeEach(async () => {
    server = await RedisServer.start();
    place = { url: server.url, namespace: newNamespace() };
    log = new GrowingLog();
    log.append(...history);
    projector = await LeasedProjector.start(place, log);
    readers = await readRedis(place, () => log.end);
    await served(log.end);
  });
  afterEach(async () => {
    await projector.stop();
    readers.close();
    await server.stop();
  });

  const served = async (position: Position): Promise<void> => {
    for (const reader of [readers.access, readers.catalogue, readers.credentials])
      expect(await reader.reached(position, 20_000)).to.equal(true);
  };

  const refilled = (): (() => boolean) => {
    const before = projector.grants.length;
    return () => projector.grants.length > before;
  };

  it("answers nothing after FLUSHALL", async () => {
    await projector.stop();
    await server.command("FLUSHALL");
    for (let round = 0; round < 5; round++) {
      expect(await asked(readers.access.holdsAny(datasourceId, ann, staff))).to.equal("unavailable");
      expect(await asked(readers.access.isParked(datasourceId))).to.equal("unavailable");
      expect(await asked(readers.catalogue.list())).to.equal("unavailable");
      expect(await asked(readers.credentials.find(keyId))).to.equal("unavailable");
    }
  });

  it("is filled again by itself after FLUSHALL, and answers nothing wrongly at any moment", async () => {
    const isOver = refilled();
    await server.command("FLUSHALL");
    expect(await outcomesUntil(isOver, readers)).to.deep.equal(right);
    expect(await readers.access.position()).to.equal(log.end);
  });

  it("is not ready meanwhile, and tells who waits once it is", async () => {
    await projector.stop();
    await server.command("FLUSHALL");
    expect(await readers.access.reached(beginning, 1)).to.equal(false);
    const waiting = served(log.end);
    projector = await LeasedProjector.start(place, log);
    await waiting;
  });

  it("is filled again when its process was killed and its disk is empty", async () => {
    await server.kill();
    expect(await asked(readers.access.holdsAny(datasourceId, ann, staff))).to.equal("unavailable");
    expect(await asked(readers.credentials.find(keyId))).to.equal("unavailable");
    const isOver = refilled();
    await server.start();
    expect(await outcomesUntil(isOver, readers)).to.deep.equal(right);
  });

  it("serves nothing of an older snapshot, to readers old and new, until it has caught up", async () => {
    await server.command("SAVE");
    await served(log.append(wiki.leaves("ann", "staff"), { type: "ApiKeyRevoked", data: { id: keyId } }));
    expect(await readers.access.holdsAny(datasourceId, ann, staff)).to.equal(false);
    await projector.stop();
    await server.kill();
    await server.start();
    const hypotheticalEntity = await readRedis(place, () => log.end);
    for (const { access, credentials } of [readers, hypotheticalEntity]) {
      for (let round = 0; round < 5; round++) {
        expect(await asked(access.holdsAny(datasourceId, ann, staff))).to.equal("unavailable");
        expect(await asked(credentials.find(keyId))).to.equal("unavailable");
      }
    }
    projector = await LeasedProjector.start(place, log);
    await served(log.end);
    for (const { access, credentials } of [readers, hypotheticalEntity]) {
      await access.reached(log.end, 10_000);
      expect(await access.holdsAny(datasourceId, ann, staff)).to.equal(false);
      expect((await credentials.find(keyId))?.revokedAt).to.be.a("string");
    }
    hypotheticalEntity.close();
  });

  it("is noticed by a projector that has nothing to do", async () => {
    const grants = projector.grants.length;
    await server.command("DEL", `{${place.namespace}}:state`);
    await served(log.end);
    expect(projector.grants.length).to.be.greaterThan(grants);
    const keys = await untilOneStore(server);
    expect(keys.size).to.equal(1);
  });

  it("goes on where it was when only its connections broke", async () => {
    const proxy = await CuttableProxy.start(server.port);
    const behind = await readRedis({ ...place, url: proxy.url }, () => beginning);
    expect(await behind.access.holdsAny(datasourceId, ann, staff)).to.equal(true);
    for (let round = 0; round < 5; round++) {
      proxy.cutAll();
      expect(await outcomesUntil((outcomes) => outcomes.has("unavailable"), behind)).to.deep.equal(right);
    }
    behind.close();
    await proxy.stop();
  });

  it("answers no request for longer than its deadline when it stands still, and goes on afterwards", async () => {
    server.pause();
    expect(await asked(readers.access.holdsAny(datasourceId, ann, staff))).to.equal("unavailable");
    server.resume();
    expect(await outcomesUntil(() => true, readers)).to.deep.equal(right);
  });
});

/** Ids of the stores of which there are rows, once those that were left behind are gone. */
async function untilOneStore(server: RedisServer): Promise<ReadonlySet<string>> {
  for (;;) {
    const keys = await server.command<string[]>("KEYS", "*:rows:*");
    const stores = new Set(keys.map((key) => key.split(":")[2] as string));
    if (stores.size <= 1) return stores;
  }
}
