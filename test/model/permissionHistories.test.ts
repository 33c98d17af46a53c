import { expect } from "chai";
import * as fc from "fast-check";
import { NaiveAccess } from "../support/naiveAccess.js";
import { NaiveReplay, naivePositionAt, naiveTimes } from "../support/naiveReplay.js";
import { permissionHistories, allPairs } from "../support/permissionHistories.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { tokens } from "../support/readModelWriters.js";

describe("random permission histories", () => {
  it("are such as a log holds", () => {
    fc.assert(
      fc.property(permissionHistories(), (events) => {
        const revisions = new Map<string, number>();
        let before = -1n;
        for (const { stream, revision, position } of events) {
          expect(revision).to.equal((revisions.get(stream) ?? -1) + 1);
          expect(position > before).to.equal(true);
          revisions.set(stream, revision);
          before = position;
        }
      }),
      propertyRuns(100),
    );
  });

  it("are replayed by the rule that seeing is sharing a token", () => {
    let seen = 0;
    fc.assert(
      fc.property(permissionHistories(), fc.nat(10_000), (events, moment) => {
        const upTo = events[moment % events.length]?.position as (typeof events)[number]["position"];
        const [naive, access] = [new NaiveReplay(events, upTo), new NaiveAccess()];
        for (const { event, position } of events) if (position <= upTo) access.follow(event);
        const present = new Map(
          naive.present().map((document) => [`${document.datasource}/${document.documentId}`, document]),
        );
        for (const pair of allPairs) {
          const held = new Set(access.heldTokens(pair.email, tokens));
          const sees = naive.maySee(pair);
          if (sees) seen++;
          expect(sees).to.equal(
            present.has(`${pair.datasource}/${pair.documentId}`) &&
              naive.tokensOf(pair, tokens).some((token) => held.has(token)),
          );
        }
      }),
      propertyRuns(500),
    );
    // Some 275 of them, give or take 30.
    expect(seen).to.be.greaterThan(100);
  });

  it("know the last event that had happened at a moment", () => {
    fc.assert(
      fc.property(permissionHistories(), fc.nat(10_000), (events, moment) => {
        const times = naiveTimes(events);
        const [, time] = times[moment % times.length] as (typeof times)[number];
        const position = naivePositionAt(events, time);
        for (const [at, happened] of times) expect(happened <= time).to.equal(at <= position);
        expect(times.map(([, happened]) => happened)).to.deep.equal(
          times.map(([, happened]) => happened).toSorted((a, b) => a - b),
        );
      }),
      propertyRuns(100),
    );
  });
});
