import { join } from "node:path";
import { expect } from "chai";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { bob, newEvent } from "../../../contracts/eventLogFixtures.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

const minute = 60_000;
const hour = 60 * minute;
const year = 365 * 24 * hour;
const now = Date.parse("2026-01-02T03:04:05.678Z");

describe("times in the embedded log", () => {
  const folder = temporaryFolder("log-times");
  let log: Awaited<ReturnType<typeof openSqliteEventLog>>;
  let revision = -1;
  before(async () => (log = await openSqliteEventLog({ file: join(folder.path, "log.sqlite") })));
  after(async () => {
    await log.close();
    folder.remove();
  });

  /** Appends an event of a clock that is so many milliseconds after `now`, and says what was written. */
  async function written(after: number): Promise<number> {
    const event = newEvent();
    const metadata = { ...event.metadata, at: new Date(now + after).toISOString() };
    const expectedRevision = revision === -1 ? "noStream" : revision;
    await log.append({ stream: bob, expectedRevision, events: [{ ...event, metadata }] });
    const [recorded] = await log.readStream(bob, ++revision);
    expect(recorded?.metadata).to.deep.include({ by: "operator", correlationId: metadata.correlationId });
    return Date.parse(recorded?.metadata.at ?? "") - now;
  }

  it("rise with the log, and are refused far behind it, but where a clock was far ahead and is right again", async () => {
    expect(await written(0)).to.equal(0);
    expect(await written(-5)).to.equal(0);
    expect(await written(50 * minute)).to.equal(50 * minute);
    expect(await written(100 * minute)).to.equal(100 * minute);
    for (const behind of [1, -10 * year]) {
      const error = await written(behind).catch((caught: unknown) => caught as Error);
      expect(error).to.include({ name: "ClockBehind" });
      expect((error as Error).message).to.match(
        /says 20\d\d-.*newest event of the log was written at 2026-01-02T04:44/,
      );
    }
    expect(await written(10 * year)).to.equal(10 * year);
    expect(await written(10 * year - minute)).to.equal(10 * year);
    expect(await written(99 * minute)).to.equal(100 * minute);
    expect(await written(101 * minute)).to.equal(101 * minute);
    expect((await written(-year).catch((caught: unknown) => caught as Error)) as Error).to.include({
      name: "ClockBehind",
    });
    expect(await written(102 * minute)).to.equal(102 * minute);
  });

  it("of one append that is refused leave the others of its commit alone", async () => {
    const events = [newEvent(), newEvent()].map((event, index) => ({
      ...event,
      metadata: { ...event.metadata, at: new Date(now + (index === 0 ? -year : 3 * hour)).toISOString() },
    }));
    const outcomes = await Promise.allSettled(
      events.map((event, index) =>
        log.append({ stream: `user-x:${index}` as typeof bob, expectedRevision: "noStream", events: [event] }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).to.deep.equal(["rejected", "fulfilled"]);
  });
});
