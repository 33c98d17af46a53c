import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { eventually } from "../support/pauses.js";
import type { ApiClient } from "../support/apiClient.js";
import { EventStoreDouble } from "../support/eventStoreDb/eventStoreDouble.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, RedisServer } from "../support/redisServer.js";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { TypesenseDouble } from "../support/typesense/typesenseDouble.js";

const ada = "ada@example.org";
const membership = { datasource: "wiki", membership: { group_name: "staff", member_email: ada } };

async function write({ indexing }: ServiceUnderTest, path: string, body: object): Promise<void> {
  const { status } = await indexing.post(`/api/indexing/${path}`, body);
  expect(status, path).to.equal(200);
}

const push = (service: ServiceUnderTest, ...ids: readonly string[]): Promise<void> =>
  write(service, "documents", {
    documents: ids.map((id) => ({
      ...{ datasource: "wiki", id, title: `Plan ${id}`, file_type: "page" },
      body: { mime_type: "text/plain", text_content: "The plan." },
      permissions: { allowed_groups: ["staff"] },
    })),
  });

async function untilReady(service: ServiceUnderTest): Promise<void> {
  const ask = async (): Promise<number> => {
    const answer = await fetch(`${service.url}/health/ready`);
    await answer.text();
    return answer.status;
  };
  await eventually(ask, (status) => status === 200);
}

async function foundBy(person: ApiClient): Promise<readonly string[]> {
  const { body } = await person.get<{ results: { id: string }[] }>("/api/beta/search?query=plan&count=100");
  return body.results.map(({ id }) => id).toSorted();
}

/** A log that can be taken back in time. */
interface Backup {
  /** Besides DATA_DIR. */
  readonly settings: NodeJS.ProcessEnv;
  /** Remembers the log as it is, while a service may go on. */
  take(folder: string): void | Promise<void>;
  /** Puts it back, while no service runs. */
  restore(folder: string): void;
  /** Lets what was remembered grow by itself, elsewhere, to be put back so. */
  grow?(folder: string): Promise<void>;
  /** A file that shows that read models were set aside; null: their engine keeps none. */
  readonly kept: string | null;
  stop(): Promise<void>;
}

/** Read models have seen more than a log from before, which may have gone another way since. */
function tellsWhatTheLogSays(open: () => Promise<Backup>, regrown: boolean): void {
  const folder = newDataDir();
  let backup: Backup;
  let service: ServiceUnderTest;
  let person: ApiClient;
  const start = (): Promise<ServiceUnderTest> => startServiceUnderTest({ ...backup.settings, DATA_DIR: folder });

  before(async () => {
    backup = await open();
    service = await start();
    await write(service, "datasources", { name: "wiki" });
    await write(service, "users", { datasource: "wiki", user: { email: ada } });
    await write(service, "groups", { datasource: "wiki", group: { name: "staff" } });
    await write(service, "memberships", membership);
    await push(service, "kept");
    await backup.take(folder);
    await push(service, "lost-1", "lost-2", "lost-3");
    expect(await foundBy(await service.person(ada))).to.have.length(4);
    await service.stop();
    if (regrown) await backup.grow?.(folder);
    backup.restore(folder);
    service = await start();
    await untilReady(service);
    person = await service.person(ada);
  });
  after(async () => {
    await service.stop();
    await backup.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("serves what the log says, and nothing else", async () => {
    const found = await foundBy(person);
    expect(found.filter((id) => id.includes("lost"))).to.deep.equal([]);
    expect(found).to.include("wiki__kept");
    if (regrown) expect(found).to.include("wiki__other-19");
  });

  it("makes new documents searchable, and takes access away", async () => {
    await push(service, "new");
    expect(await foundBy(person)).to.include("wiki__new");
    const { status } = await service.indexing.delete(`/api/indexing/memberships/wiki/staff/user/${ada}`);
    expect(status).to.equal(200);
    expect(await foundBy(person)).to.deep.equal([]);
  });

  it("sets aside what was served before, and nothing when it starts again", async () => {
    const { kept } = backup;
    if (kept === null) return;
    expect(existsSync(join(folder, kept))).to.equal(true);
    rmSync(join(folder, kept), { force: true });
    await service.stop();
    service = await start();
    await untilReady(service);
    expect(existsSync(join(folder, kept))).to.equal(false);
  });
}

/** Nothing else is to be stopped. */
const nothing = (): Promise<void> => Promise.resolve();

const logOf = (folder: string): string => join(folder, "log.sqlite");

/** The log in SQLite, a copy of which is put back. */
async function embedded(settings: NodeJS.ProcessEnv = {}, stop = nothing): Promise<Backup> {
  const elsewhere = newDataDir();
  const copy = join(elsewhere, "copy");
  let restored = copy;
  const remove = (): Promise<void> => rm(elsewhere, { recursive: true, force: true });
  return {
    settings,
    kept: Object.keys(settings).length === 0 ? "search.sqlite.set-aside" : null,
    take: async (folder) => {
      const log = new Database(logOf(folder), { readonly: true });
      await log.backup(copy);
      log.close();
    },
    restore: (folder) => {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${logOf(folder)}${end}`, { force: true });
      copyFileSync(restored, logOf(folder));
    },
    grow: async () => {
      copyFileSync(copy, logOf(elsewhere));
      const grown = await startServiceUnderTest({ DATA_DIR: elsewhere });
      await push(grown, ...Array.from({ length: 20 }, (_, index) => `other-${index}`));
      await grown.stop();
      restored = logOf(elsewhere);
    },
    stop: async () => {
      await stop();
      await remove();
    },
  };
}

/** Read models in Redis and Typesense. */
async function onServers(): Promise<Backup> {
  const redis = await RedisServer.start();
  const typesense = await TypesenseDouble.start();
  const { url, apiKey } = typesense;
  return embedded({ REDIS_URL: redis.url, TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey }, async () => {
    await redis.stop();
    await typesense.stop();
  });
}

/** The log in an event store whose backup is put back. */
async function onEventStore(): Promise<Backup> {
  const double = await EventStoreDouble.start();
  const settings = { EVENTSTORE_URL: double.url, NAMESPACE: newNamespace() };
  let mark = double.log.mark();
  return {
    settings,
    kept: "search.sqlite.set-aside",
    take: () => void (mark = double.log.mark()),
    restore: () => double.log.goBackTo(mark),
    grow: async () => {
      const elsewhere = newDataDir();
      double.log.goBackTo(mark);
      const grown = await startServiceUnderTest({ ...settings, DATA_DIR: elsewhere });
      await push(grown, ...Array.from({ length: 20 }, (_, index) => `other-${index}`));
      await grown.stop();
      for (const file of readdirSync(elsewhere)) rmSync(join(elsewhere, file), { recursive: true });
      mark = double.log.mark();
    },
    stop: () => double.stop(),
  };
}

const restored = "was restored beside newer read models";
describe(`a log that ${restored}`, () => tellsWhatTheLogSays(() => embedded(), false));
// The harder case: the positions that the read models have come to are other events now.
const regrown = `${restored}, and has grown past them`;
describe(`a log that ${regrown}`, () => tellsWhatTheLogSays(() => embedded(), true));
describeOnRedis(`a log that ${regrown}, with Redis and Typesense`, () => tellsWhatTheLogSays(onServers, true));
describe(`an event store that ${regrown}`, () => tellsWhatTheLogSays(onEventStore, true));

describe("read models beside another event store", () => {
  const folder = newDataDir();
  let first: EventStoreDouble;
  let second: EventStoreDouble;
  before(async () => {
    [first, second] = [await EventStoreDouble.start(), await EventStoreDouble.start()];
  });
  after(async () => {
    for (const double of [first, second]) await double.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What a person finds after these documents were pushed; where there are none, nothing at all is written. */
  async function found(double: EventStoreDouble, NAMESPACE: string, ...ids: string[]): Promise<readonly string[]> {
    const service = await startServiceUnderTest({ DATA_DIR: folder, EVENTSTORE_URL: double.url, NAMESPACE });
    try {
      if (ids.length > 0) {
        await write(service, "datasources", { name: "wiki" });
        await write(service, "users", { datasource: "wiki", user: { email: ada } });
        await write(service, "groups", { datasource: "wiki", group: { name: "staff" } });
        await write(service, "memberships", membership);
        await push(service, ...ids);
      }
      return await foundBy(await service.person(ada));
    } finally {
      await service.stop();
    }
  }

  it("are built anew from it, and from another namespace of the same server", async () => {
    const [one, other] = [newNamespace(), newNamespace()];
    expect(await found(first, one, "lost")).to.deep.equal(["wiki__lost"]);
    expect(await found(second, one, "new-1", "new-2")).to.deep.equal(["wiki__new-1", "wiki__new-2"]);
    expect(await found(second, other)).to.deep.equal([]);
  });
});
