import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { openForReading, openForWriting, type SqliteDatabase } from "../../../src/adapters/sqlite/database.js";
import { newDataDir } from "../../support/startService.js";

const schema = { name: "test", version: 1, statements: "CREATE TABLE things (id INTEGER PRIMARY KEY)" };
const openers = 4;
const rounds = 10;

describe("opening a database file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = newDataDir();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("makes the schema once, however many open the new file at the same moment", async () => {
    for (let round = 0; round < rounds; round++) {
      expect(await openAtOnce(join(folder, `${round}.sqlite`))).to.deep.equal(
        Array.from({ length: openers }, () => "opened"),
      );
    }
  });

  it("makes the folders that are missing, and fails where the system lets nobody make them", () => {
    openForWriting({ file: join(folder, "a/b/new.sqlite"), schema, durability: "rebuildable" }).close();
    expect(() => openForWriting({ file: "/proc/none/none/new.sqlite", schema, durability: "rebuildable" })).to.throw(
      /ENOENT|EACCES|EPERM|EROFS/,
    );
  });

  it("empties a file of an older version that is to be rebuilt, once, for those who ask to be told", () => {
    const file = join(folder, "older.sqlite");
    const rebuilt = {
      ...schema,
      whenOlder: "rebuild",
      statements: `${schema.statements}; CREATE VIRTUAL TABLE words USING fts5 (word)`,
    } as const;
    const older = openForWriting({ file, schema: rebuilt, durability: "rebuildable" });
    older.exec("INSERT INTO things VALUES (1); INSERT INTO words VALUES ('one')");
    const counts = (database: SqliteDatabase): unknown =>
      database.prepare("SELECT (SELECT count(*) FROM things), (SELECT count(*) FROM words)").raw().get();
    const newer = { file, schema: { ...rebuilt, version: 2 }, durability: "rebuildable" } as const;
    openForWriting(newer).close();
    expect(counts(older)).to.deep.equal([1, 1]);
    let emptied = 0;
    const onEmptied = (): void => void emptied++;
    openForWriting({ ...newer, onEmptied }).close();
    openForReading({ ...newer, onEmptied }).close();
    expect(counts(older)).to.deep.equal([0, 0]);
    openForWriting({ ...newer, file: join(folder, "new.sqlite"), onEmptied }).close();
    expect(emptied).to.equal(1);
    older.close();
  });

  it("refuses a file that a newer version has written, and says what to do", () => {
    const file = join(folder, "newer.sqlite");
    openForWriting({ file, schema: { ...schema, version: 2 }, durability: "rebuildable" }).close();
    expect(() => openForWriting({ file, schema, durability: "rebuildable" })).to.throw(
      /newer version.*Upgrade the program, or delete the file: it is rebuilt from the log\.$/,
    );
    expect(() => openForWriting({ file, schema, durability: "durable" })).to.throw(
      /newer version.*Upgrade the program or use another DATA_DIR\.$/,
    );
  });
});

async function openAtOnce(file: string): Promise<string[]> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const entry = new URL("./openInThread.js", import.meta.url);
  const workers = Array.from({ length: openers }, () => new Worker(entry, { workerData: { file, schema, gate } }));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const outcomes = workers.map((worker) => once(worker, "message"));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const answers = (await Promise.all(outcomes)).map(([outcome]) => String(outcome));
  await Promise.all(workers.map((worker) => worker.terminate()));
  return answers;
}
