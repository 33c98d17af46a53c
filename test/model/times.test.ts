import { generateKeyPairSync, sign } from "node:crypto";
import { expect } from "chai";
import * as fc from "fast-check";
import { openSqliteHistoryClock } from "../../src/adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { createAccess } from "../../src/audit/access/access.js";
import { createAuditExport, permissionLogOf } from "../../src/audit/export/auditExport.js";
import type { VisibleItem, WhoItem } from "../../src/audit/historyQuestions.js";
import { StreamTimelines } from "../../src/audit/timeline/streamTimelines.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { beginning, toPosition, type Position } from "../../src/shared/position.js";
import { GrowingLog } from "../support/growingLog.js";
import { NaiveReplay, naiveTimes } from "../support/naiveReplay.js";
import { allPairs, permissionHistories } from "../support/permissionHistories.js";
import { ProjectedHistory } from "../support/projectedHistory.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { recordedLog } from "../support/recordedLog.js";

const now = (): Date => new Date("2046-01-01T00:00:00.000Z");
const pairText = (email: string, document: string): string => `${email} ${document}`;
const key = generateKeyPairSync("ed25519");
const signer = {
  publicKey: key.publicKey.export({ format: "der", type: "spki" }),
  sign: (bytes: Buffer) => sign(null, bytes, key.privateKey),
};

describe("questions by time, where clocks jump by minutes and by years", function () {
  this.timeout(120_000);
  const projected = new ProjectedHistory();
  let head: Position = beginning;
  const clock = openSqliteHistoryClock({ file: projected.file, logHead: async () => head, patienceMs: 30 });
  after(() => {
    clock.close();
    projected.close();
  });

  async function who(position: Position): Promise<readonly string[]> {
    const seen: string[] = [];
    for (const { datasource, documentId } of new Map(
      allPairs.map((one) => [`${one.datasource}/${one.documentId}`, one]),
    ).values()) {
      const { items } = projected.ask<WhoItem>({ kind: "who", datasource, documentId }, Number(position));
      seen.push(...items.map(({ user_email }) => pairText(user_email, `${datasource}/${documentId}`)));
    }
    return seen.sort();
  }

  /** Of whom, by the times of its intervals, an answer that was given later says that they could see something then. */
  function visibleAt(items: readonly VisibleItem[], time: number): readonly string[] {
    return items
      .filter(
        ({ from_time, until_time }) =>
          Date.parse(from_time) <= time && (until_time === null || Date.parse(until_time) > time),
      )
      .map(({ user_email, document }) => pairText(user_email, document))
      .sort();
  }

  async function exported(events: readonly RecordedEvent[], time: number): Promise<Position> {
    const log = new GrowingLog();
    log.record(...events);
    const options = { log: permissionLogOf(log), namespace: "test", now, clock, signer: async () => signer };
    const opened = await createAuditExport(options).open(
      { from: null, to: { kind: "time", time } },
      AbortSignal.timeout(60_000),
    );
    if (!opened.ok) throw new Error(opened.error.type);
    return opened.value.toPosition;
  }

  it("are answered alike by access, who, the intervals of everybody, exposure and an export", async () => {
    let seen = 0;
    const property = fc.asyncProperty(permissionHistories(50), fc.nat(10_000), async (events, chosen) => {
      await projected.clear();
      await projected.project(events);
      head = events.at(-1)?.position ?? beginning;
      const times = naiveTimes(events);
      const [, time] = times[chosen % times.length] as (typeof times)[number];
      const position = await clock.positionAt(time);
      const answered = await who(position);
      seen += answered.length;

      const naive = new NaiveReplay(events, times.findLast(([, happened]) => happened <= time)?.[0] ?? beginning);
      const expected = allPairs.filter((pair) => naive.maySee(pair));
      expect(answered).to.deep.equal(
        expected.map(({ email, datasource, documentId }) => pairText(email, `${datasource}/${documentId}`)).sort(),
      );

      const log = recordedLog(events);
      const access = createAccess({ log, clock, now, timelines: new StreamTimelines(log), served: undefined as never });
      for (const { email: user, ...document } of allPairs) {
        const answer = await access({ user, ...document, at: { kind: "time", time } });
        if (!answer.ok) throw new Error(answer.error.type);
        expect(answer.value.has_access).to.equal(
          answered.includes(pairText(user, `${document.datasource}/${document.documentId}`)),
        );
        for (const fact of answer.value.explanation) expect(Date.parse(fact.time)).to.be.at.most(time);
      }

      const end = Number(head);
      const intervals = [...new Set(allPairs.map(({ email }) => email))].flatMap(
        (user) => projected.ask<VisibleItem>({ kind: "effective", document: null, user }, end).items,
      );
      expect(visibleAt(intervals, time)).to.deep.equal(answered);

      expect(await exported(events, time)).to.equal(position);
      const [{ datasource, documentId }] = allPairs as [(typeof allPairs)[number]];
      const target = { kind: "anonymous" } as const;
      const question = { kind: "exposureOfGrant", datasource, documentId, target } as const;
      const exposures = projected.ask<VisibleItem>(question, end).items;
      for (const exposed of visibleAt(exposures, time)) expect(answered).to.include(exposed);
    });
    await fc.assert(property, propertyRuns(40));
    expect(seen).to.be.greaterThan(3);
  });

  it("are not moved by one event of ten years ahead", async () => {
    const [sample] = fc.sample(permissionHistories(), { numRuns: 1, seed: 7 });
    const begins = Date.parse("2026-01-01T00:00:00.000Z");
    const events = (sample ?? []).map((event, index): RecordedEvent => {
      const year = index === 5 ? 2036 : 2026;
      const at = new Date(begins + index * 60_000).toISOString().replace("2026", String(year));
      return { ...event, metadata: { ...event.metadata, at } };
    });
    await projected.clear();
    await projected.project(events);
    head = events.at(-1)?.position ?? toPosition(0);
    for (const [index, event] of events.entries()) {
      const expected = index === 5 ? events[4] : event;
      expect(await clock.positionAt(begins + index * 60_000)).to.equal(expected?.position);
    }
    expect(await clock.timeAt((events[5] as RecordedEvent).position)).to.equal(begins + 6 * 60_000);
    expect(projected.history.source(Number(events[5]?.position))?.recordedTime).to.match(/^2036/);
  });
});
