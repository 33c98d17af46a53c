import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { openForReading, openForWriting, type SqliteDatabase } from "../../../src/adapters/sqlite/database.js";
import { newDataDir } from "../../support/startService.js";
import type { OpeningThreadData } from "./openInThread.js";

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
    const files = Array.from({ length: rounds }, (_, round) => join(folder, `${round}.sqlite`));
    expect(await openEachAtOnce(files)).to.deep.equal(Array.from({ length: openers }, () => files.map(() => "opened")));
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

/** What each of several threads says of opening each file, which all of them begin at the same moment. */
async function openEachAtOnce(files: readonly string[]): Promise<string[][]> {
  const workerData: OpeningThreadData = { files, schema, openers, gate: new Int32Array(new SharedArrayBuffer(8)) };
  const entry = new URL("./openInThread.js", import.meta.url);
  return Promise.all(
    Array.from({ length: openers }, async () => {
      const [outcomes] = await once(new Worker(entry, { workerData }), "message");
      return outcomes as string[];
    }),
  );
}
