import { expect } from "chai";
import * as fc from "fast-check";
import { openSqliteHistoryClock } from "../../../../src/adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { beginning, toPosition, type Position } from "../../../../src/shared/position.js";
import { naivePositionAt, naiveTimes } from "../../../support/naiveReplay.js";
import { historyBegins, permissionHistories } from "../../../support/permissionHistories.js";
import { ProjectedHistory } from "../../../support/projectedHistory.js";
import { propertyRuns } from "../../../support/propertyRuns.js";

describe("the log's clock in the permission history", () => {
  const projected = new ProjectedHistory();
  let head: Position = beginning;
  const clock = openSqliteHistoryClock({ file: projected.file, logHead: async () => head, patienceMs: 30 });
  after(() => {
    clock.close();
    projected.close();
  });

  it("finds the end of the prefix before the first event that was decided later, and never runs backwards", async () => {
    const property = fc.asyncProperty(
      permissionHistories(),
      fc.array(fc.integer({ min: -10_000, max: 120_000 }), { minLength: 1, maxLength: 5 }),
      async (events, moments) => {
        await projected.clear();
        await projected.project(events);
        head = events.at(-1)?.position ?? beginning;
        for (const moment of [...moments, ...events.map(({ metadata }) => Date.parse(metadata.at) - historyBegins)]) {
          expect(await clock.positionAt(historyBegins + moment)).to.equal(
            naivePositionAt(events, historyBegins + moment),
          );
        }
        for (const [position, time] of naiveTimes(events)) expect(await clock.timeAt(position)).to.equal(time);
        expect(await clock.newestTime()).to.equal(naiveTimes(events).at(-1)?.[1] ?? null);
        expect(await clock.timeAt(beginning)).to.equal(null);
      },
    );
    await fc.assert(property, propertyRuns(60));
  });

  it("answers from what is projected where something later is known, and otherwise waits for the log's end", async () => {
    const [history] = fc.sample(permissionHistories(), { numRuns: 1, seed: 1 });
    const events = history ?? [];
    await projected.clear();
    await projected.project(events);
    const latest = naiveTimes(events).at(-1)?.[1] ?? 0;
    head = toPosition((events.at(-1)?.position ?? 0n) + 5n);
    expect(await clock.positionAt(latest - 1)).to.equal(naivePositionAt(events, latest - 1));
    for (const ask of [() => clock.positionAt(latest), () => clock.timeAt(head)]) {
      const error = await ask().catch((caught: unknown) => caught);
      expect((error as Error).name).to.equal("ReadModelUnavailable");
    }
  });
});
