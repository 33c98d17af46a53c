import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { eventually } from "../support/pauses.js";
import { createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const ada = "ada@example.org";
const pageBytes = 4_096;

/** Overwrites a part of a file, as a bad disk would. Nothing of it is left in the WAL. */
function overwrite(file: string, from: number, to: number): void {
  const opened = openSync(file, "r+");
  writeSync(opened, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(opened);
}

const unread = "thisisreadbynobody";

async function health(url: string): Promise<number> {
  const answer = await fetch(`${url}/health/ready`);
  await answer.text();
  return answer.status;
}

const damages = {
  "at its beginning": (file: string) => overwrite(file, 0, pageBytes),
  "behind its first page": (file: string) => overwrite(file, pageBytes, statSync(file).size),
};

describe("a damaged file of read models", () => {
  const folder = newDataDir();
  let service: ServiceUnderTest;
  const start = (): Promise<ServiceUnderTest> => startServiceUnderTest({ DATA_DIR: folder });
  const inFolder = (name: string): string => join(folder, name);

  before(async () => {
    service = await start();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status, path).to.equal(200);
    };
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: { email: ada } });
    const plan = { datasource: "wiki", id: "plan", title: "Plan", file_type: "page" };
    await write("documents", { documents: { ...plan, body: { mime_type: "text/plain", text_content: "The plan." } } });
    await service.stop();
  });
  after(() => rm(folder, { recursive: true }));

  const cases = {
    "readModels.sqlite": ["at its beginning", "behind its first page"],
    "search.sqlite": ["at its beginning", "behind its first page"],
    "permissionHistory.sqlite": ["at its beginning", "behind its first page"],
  } as const;

  it("is found where nobody reads it, after a start", async () => {
    rmSync(inFolder("search.sqlite.set-aside"), { force: true });
    const database = new Database(inFolder("search.sqlite"));
    const texts = database.prepare<[number, string]>("INSERT INTO texts VALUES (?, ?)");
    for (let part = 1_000_000; part < 1_000_100; part++) texts.run(part, `${unread} `.repeat(100));
    database.pragma("wal_checkpoint(TRUNCATE)");
    database.close();
    const page = Math.floor(readFileSync(inFolder("search.sqlite")).lastIndexOf(unread) / pageBytes);
    overwrite(inFolder("search.sqlite"), page * pageBytes, (page + 1) * pageBytes);
    service = await start();
    try {
      while ((await health(service.url)) !== 200);
      expect(existsSync(inFolder("search.sqlite.set-aside"))).to.equal(false);
      const isSetAside = (): Promise<boolean> => Promise.resolve(existsSync(inFolder("search.sqlite.set-aside")));
      expect(await eventually(isSetAside, Boolean)).to.equal(true);
      const total = async (): Promise<number | undefined> =>
        (await (await service.person(ada)).get<{ total?: number }>("/api/beta/search?query=plan")).body.total;
      expect(await eventually(total, (found) => found === 1)).to.equal(1);
    } finally {
      await service.stop();
    }
  });

  for (const [name, places] of Object.entries(cases))
    for (const where of places)
      it(`is set aside and rebuilt: ${name}, ${where}`, async () => {
        rmSync(inFolder(`${name}.set-aside`), { force: true });
        const database = new Database(inFolder(name));
        database.pragma("wal_checkpoint(TRUNCATE)");
        database.close();
        damages[where](inFolder(name));
        service = await start();
        try {
          while ((await health(service.url)) !== 200);
          const person = await service.person(ada, "auditor");
          const { body } = await person.get<{ total: number }>("/api/beta/search?query=plan");
          expect(body.total).to.equal(1);
          const who = await person.get<{ items: object[] }>("/api/audit/who?document=wiki/plan");
          expect([who.status, who.body.items.length]).to.deep.equal([200, 1]);
          expect(existsSync(inFolder(`${name}.set-aside`))).to.equal(true);
        } finally {
          await service.stop();
        }
      });
});

describe("a damaged log", () => {
  const damagesOfLogs: Readonly<Record<string, (log: string) => void>> = {
    "with something else in its place": (log) => writeFileSync(log, "This is no database. ".repeat(500)),
    "in its first page": (log) => overwrite(log, 100, logPageBytes),
    "behind its first page": (log) => overwrite(log, logPageBytes, statSync(log).size),
    "in the middle": (log) => truncateSync(log, Math.ceil(statSync(log).size / 2)),
  };

  for (const [where, damage] of Object.entries(damagesOfLogs))
    it(`is told at a start, with what to do: ${where}`, async () => {
      const folder = newDataDir();
      const server = await ServerProcess.start(folder);
      const indexing = await createServiceAccount(folder, server.url);
      expect((await indexing.post("/api/indexing/datasources", { name: "wiki" })).status).to.equal(200);
      await server.terminate();
      damage(join(folder, "log.sqlite"));
      const outcome = await ServerProcess.start(folder).catch((error: Error) => error.message);
      expect(outcome).to.match(
        /^The server ended with 1 before it listened:\nlog\.sqlite in \S+ is damaged\. Restore it from a backup: .*\.\n$/,
      );
      await rm(folder, { recursive: true });
    });

  it("is told after a start where nobody reads it", async () => {
    const folder = newDataDir();
    let server = await ServerProcess.start(folder);
    const indexing = await createServiceAccount(folder, server.url);
    expect((await indexing.post("/api/indexing/datasources", { name: "wiki" })).status).to.equal(200);
    const body = { mime_type: "text/plain", text_content: `${unread} `.repeat(20_000) };
    const document = { datasource: "wiki", id: "a", title: "A", file_type: "page", body };
    expect((await indexing.post("/api/indexing/documents", { documents: document })).status).to.equal(200);
    await server.terminate();
    const log = join(folder, "log.sqlite");
    const page = Math.floor(readFileSync(log).lastIndexOf(unread) / logPageBytes) - 2;
    overwrite(log, page * logPageBytes, (page + 1) * logPageBytes);
    server = await ServerProcess.start(folder);
    expect(await server.logged(/The log is damaged/)).to.include("restore it from a backup");
    await server.kill();
    await rm(folder, { recursive: true });
  });
});

const logPageBytes = 8_192;
