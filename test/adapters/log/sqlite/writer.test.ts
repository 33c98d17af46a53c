import { execFile } from "node:child_process";
import { renameSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { expect } from "chai";
import { LogWriter } from "../../../../src/adapters/log/sqlite/logWriter.js";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { upcasters } from "../../../../src/events/upcasters.js";
import { EngineUnavailable } from "../../../../src/shared/failures.js";
import { ThreadWatch } from "../../../../src/shared/restartedWorker.js";
import { alice, appended, bob, namesOf, newEvent, newEvents, rename } from "../../../contracts/eventLogFixtures.js";
import { logFileIn, newFolder } from "./temporaryLog.js";

type SqliteEventLog = Awaited<ReturnType<typeof openSqliteEventLog>>;

describe("the writer of the SQLite event log", () => {
  let folder: string;
  let file: string;
  let log: SqliteEventLog;
  beforeEach(async () => {
    folder = newFolder();
    file = logFileIn(folder);
    log = await openSqliteEventLog({ file });
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  const failureOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "no failure",
      (error: Error) => error.message,
    );
  const toBob = () => log.append({ stream: bob, expectedRevision: "noStream", events: newEvents("b") });

  it("lets no append suffer from another of the same commit that cannot be written", async () => {
    const unwritable = { ...newEvent(), id: null as unknown as string };
    const [before, failure, after] = await Promise.all([
      rename(log, "noStream", "a"),
      failureOf(log.append({ stream: bob, expectedRevision: "noStream", events: [newEvent(), unwritable] })),
      rename(log, 0, "b"),
    ]);
    expect([before.revision, after.revision]).to.deep.equal([0, 1]);
    expect(failure).to.contain(`append to stream ${bob} failed`).and.to.contain("NOT NULL");
    expect(namesOf(await log.readStream(alice, 0))).to.deep.equal(["a", "b"]);
    expect(await log.readStream(bob, 0)).to.deep.equal([]);
    expect((await toBob()).kind).to.equal("appended");
  });

  it("refuses what is no JSON, and a stream of no category, without harm to others", async () => {
    const unspeakable = newEvent({ type: "UserRenamed", data: { name: 1n } } as never);
    const [first, noJson, noCategory, second] = await Promise.all([
      rename(log, "noStream", "a"),
      failureOf(log.append({ stream: bob, expectedRevision: "noStream", events: [newEvent(), unspeakable] })),
      failureOf(
        log.append({ stream: "nothing-1" as typeof bob, expectedRevision: "noStream", events: newEvents("x") }),
      ),
      toBob(),
    ]);
    expect([first.kind, second.kind]).to.deep.equal(["appended", "appended"]);
    expect(noJson).to.contain("BigInt");
    expect(noCategory).to.contain("belongs to no known category");
  });

  it("waits while another connection holds the lock", async () => {
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    let answered = false;
    const waiting = toBob().then((outcome) => {
      answered = true;
      return outcome;
    });
    // For how long the lock is held, not a wait for an outcome.
    await delay(50);
    expect(answered).to.equal(false);
    other.exec("COMMIT");
    other.close();
    expect((await waiting).kind).to.equal("appended");
  });

  it("writes nothing into a file that another one has taken the place of", async () => {
    await rename(log, "noStream", "a");
    for (const ending of ["", "-wal", "-shm"]) renameSync(`${file}${ending}`, `${file}.old${ending}`);
    const other = await openSqliteEventLog({ file });
    try {
      expect(await failureOf(rename(log, 0, "b"))).to.contain("another file than the one that was opened");
      expect((await rename(other, "noStream", "c")).revision).to.equal(0);
    } finally {
      await other.close();
    }
  });

  it("finishes what is queued when it is closed, leaves no WAL behind, and takes no more", async () => {
    const queued = Array.from({ length: 50 }, (_, index) =>
      rename(log, index === 0 ? "noStream" : index - 1, `event ${index}`),
    );
    const [closed] = await Promise.all([log.close(), log.close()]);
    expect(closed).to.equal(undefined);
    expect((await Promise.all(queued)).map(({ revision }) => revision)).to.deep.equal(queued.map((_, index) => index));
    expect(await failureOf(toBob())).to.equal("The event log is closed.");
    expect(await failureOf(stat(`${file}-wal`))).to.contain("ENOENT");
    log = await openSqliteEventLog({ file });
    expect((await log.readLast(alice))?.revision).to.equal(49);
  });

  it("is started again when its thread dies, and says that what was under way is unknown", async () => {
    const ends: string[] = [];
    const threads = new ThreadWatch((name, { message }) => ends.push(`${name}: ${message}`));
    const entry = new URL("./dyingWriterThread.js", import.meta.url);
    const writer = await LogWriter.start({ file, upcasters, threads, entry });
    const request = { stream: bob, expectedRevision: "noStream", events: newEvents("b") } as const;
    for (const lost of [writer.append(request), writer.append(request)]) {
      const error = await lost.then(
        () => null,
        (reason: Error) => reason,
      );
      expect(error).to.be.instanceOf(EngineUnavailable);
      expect(error?.message).to.contain("ended with code 3");
    }
    expect(threads.away()).to.deep.equal(["log writer"]);
    expect(await failureOf(writer.append(request))).to.contain("started again");
    while (threads.away().length > 0) await delay(1);
    expect((await writer.append(request)).kind).to.equal("appended");
    // With the same ids it is the same append.
    expect((await writer.append(request)).kind).to.equal("appended");
    expect(ends).to.deep.equal(["log writer: The log writer thread ended with code 3."]);
    await writer.close();
    expect(await log.readStream(bob, 0)).to.have.length(1);
  });

  it("survives a checkpoint that finds the disk full", async () => {
    // The shell's limit for files stands for a full disk.
    const child = new URL("./appendUntilFull.js", import.meta.url);
    const { stdout } = await promisify(execFile)("bash", [
      "-c",
      'ulimit -f 24000; exec "$@"',
      "bash",
      process.execPath,
      fileURLToPath(child),
      join(folder, "full.sqlite"),
    ]);
    const { failures, ended } = JSON.parse(stdout) as { failures: readonly string[]; ended: readonly string[] };
    expect(failures).to.have.length(3);
    for (const failure of failures)
      expect(failure).to.match(/^The append to stream .* failed and may be tried again: /);
    expect(ended).to.deep.equal([]);
  });

  it("says why it cannot start", async () => {
    const database = new Database(file);
    database.pragma("user_version = 99");
    database.close();
    expect(await failureOf(LogWriter.start({ file, upcasters, threads: new ThreadWatch() }))).to.contain(
      "newer version",
    );
  });

  it("commits what many ask for at once, and answers each on its own", async () => {
    await rename(log, "noStream", "first");
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        log.append({
          stream: index % 2 === 0 ? alice : bob,
          expectedRevision: index % 2 === 0 ? 0 : "noStream",
          events: newEvents("x"),
        }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === "appended")).to.have.length(2);
    expect(outcomes.slice(2)).to.deep.equal(
      outcomes.slice(2).map((_, index) => ({ kind: "conflict", actualRevision: index % 2 === 0 ? 1 : 0 })),
    );
    await appended(log, { stream: bob, expectedRevision: 0, events: newEvents("y") });
  });
});
