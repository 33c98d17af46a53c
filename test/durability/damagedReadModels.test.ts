import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const ada = "ada@example.org";
const pageBytes = 4_096;

/** Overwrites a part of a file, as a bad disk would. Nothing of it is left in the WAL. */
function overwrite(file: string, from: number, to: number): void {
  const opened = openSync(file, "r+");
  writeSync(opened, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(opened);
}

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
