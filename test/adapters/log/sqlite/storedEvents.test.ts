import { rm } from "node:fs/promises";
import Database from "better-sqlite3";
import { expect } from "chai";
import { openSqliteContents } from "../../../../src/adapters/log/sqlite/openSqliteContents.js";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../../../../src/adapters/log/sqlite/openSqliteEventSource.js";
import type { Upcasters } from "../../../../src/events/upcasters.js";
import { beginning, toPosition } from "../../../../src/shared/position.js";
import {
  alice,
  batchesToEnd,
  eventsOf,
  namesOf,
  rename,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import { logFileIn, newFolder, openLogIn } from "./temporaryLog.js";

describe("what the SQLite event log holds", () => {
  let folder: string;
  let under: EventLogUnderTest;
  beforeEach(async () => {
    folder = newFolder();
    under = await openLogIn(folder);
  });
  afterEach(async () => {
    await under.close();
    await rm(folder, { recursive: true });
  });

  /** Changes the file behind the log's back. */
  const tamper = (sql: string): void => {
    const database = new Database(logFileIn(folder));
    database.exec(sql);
    database.close();
  };
  const failureOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "no failure",
      (error: Error) => error.message,
    );

  it("is lifted to the current shape, to readers of streams and to subscribers", async () => {
    await rename(under.log, "noStream", "ada lovelace");
    await under.close();
    const table: Upcasters = { UserRenamed: [({ name }: { name: string }) => ({ name: name.toUpperCase() })] };
    under = await openLogIn(folder, table);
    await rename(under.log, 0, "in the new shape");
    const lifted = ["ADA LOVELACE", "in the new shape"];
    expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(lifted);
    expect(namesOf(eventsOf(await batchesToEnd(under.source)))).to.deep.equal(lifted);
    under = await under.reopen();
    expect((await under.log.readLast(alice))?.event).to.have.nested.property("data.name", "in the new shape");
    await under.close();
    under = await openLogIn(folder);
    expect(await failureOf(under.log.readLast(alice))).to.contain("written in version 2, this program knows up to 1");
  });

  for (const [damage, sql] of [
    ["data that is no JSON", `UPDATE events SET data = '{"name":"b' WHERE revision = 1`],
    ["metadata that is no object", "UPDATE events SET metadata = 'null' WHERE revision = 1"],
  ] as const) {
    it(`is refused by name and position where it is damaged: ${damage}`, async () => {
      const { position } = await rename(under.log, "noStream", "a", "b");
      tamper(sql);
      const failures = await Promise.all([under.log.readStream(alice, 0), under.log.readLast(alice)].map(failureOf));
      const { unreadable } = eventsOf(await batchesToEnd(under.source))[1] ?? {};
      expect(unreadable).to.include({ type: "UserRenamed", datasourceId: null });
      for (const failure of [...failures, String(unreadable?.reason)]) {
        expect(failure)
          .to.contain(`position ${position} `)
          .and.to.contain(`revision 1 of stream ${alice}`)
          .and.to.contain("cannot be read");
      }
    });
  }

  it("is refused in the same words where only events are read", async () => {
    await rename(under.log, "noStream", "a", "b");
    tamper(`UPDATE events SET data = '{"name":"b' WHERE revision = 1`);
    const refused = await failureOf(under.log.readEvents(alice, 0, 2));
    expect(refused).to.equal(await failureOf(under.log.readStream(alice, 0)));
  });

  it("ends at the beginning while it is empty", async () => {
    expect(await under.source.head()).to.equal(beginning);
  });

  it("is not opened where a newer version of the program wrote it", async () => {
    tamper("PRAGMA user_version = 99");
    const file = logFileIn(folder);
    const newer = /written by a newer version of this program \(event log, schema 99;/;
    expect(await failureOf(openSqliteEventLog({ file }))).to.match(newer);
    expect(() => openSqliteEventSource({ file })).to.throw(newer);
    expect(() => openSqliteContents({ file })).to.throw(newer);
  });

  it("is not read from a checkpoint beyond its end", async () => {
    await rename(under.log, "noStream", "a");
    const failure = await failureOf(batchesToEnd(under.source, { after: toPosition(7) }));
    expect(failure).to.contain("Position 7").and.to.contain("ends at 1");
  });
});
