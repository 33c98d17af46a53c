import { expect } from "chai";
import * as fc from "fast-check";
import type { ExplainedFact } from "../../queries/audit/auditFacts.js";
import type { VisibleItem, WhatItem, WhoItem } from "../../queries/audit/historyQuestions.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { NaiveReplay } from "../support/naiveReplay.js";
import { naiveTimeline } from "../support/naiveTimelines.js";
import { naiveExposure, naiveSights, openedGrants, withoutFactsOf, withoutGrants } from "../support/naiveSights.js";
import { datasources, documents, groupNames, people, permissionHistories, sights } from "../support/permissionHistories.js";
import { ProjectedHistory } from "../support/projectedHistory.js";
import { propertyRuns } from "../support/propertyRuns.js";

const moments = fc.record({ moment: fc.nat(10_000), fact: fc.nat(10_000), pageSize: fc.integer({ min: 1, max: 5 }) });

/** A line as the naive answers have it. */
const lineOf = ({ user_email, document, from, until }: VisibleItem): string => `${user_email} ${document} ${from} ${until ?? "still"}`;

describe("the permission history", () => {
  const projected = new ProjectedHistory();
  after(() => projected.close());

  const anyHistory = async (runs: number, check: (events: readonly RecordedEvent[], chosen: { moment: number; fact: number; pageSize: number }) => void): Promise<void> => {
    const property = fc.asyncProperty(permissionHistories(), moments, async (events, chosen) => {
      await projected.clear();
      await projected.project(events);
      check(events, chosen);
    });
    await fc.assert(property, propertyRuns(runs));
  };
  const positionIn = (events: readonly RecordedEvent[], moment: number) => (events[moment % events.length] as RecordedEvent).position;

  it("knows everyone who could see a document, and everything that a person could see, as of any moment", () =>
    anyHistory(2_000, (events, { moment, pageSize }) => {
      const position = positionIn(events, moment);
      const naive = new NaiveReplay(events, position);
      const seen = sights.filter((sight) => naive.maySee(sight));
      for (const datasource of datasources) {
        for (const documentId of documents) {
          const expected = seen.filter((sight) => sight.datasource === datasource && sight.documentId === documentId).map(({ email }) => email);
          const { items, total } = projected.ask<WhoItem>({ kind: "who", datasource, documentId }, Number(position), pageSize);
          expect(items.map(({ user_email }) => user_email)).to.deep.equal([...expected].sort());
          expect(total).to.equal(expected.length);
        }
      }
      for (const user of people) {
        const expected = seen.filter(({ email }) => email === user).map(({ datasource, documentId }) => `${datasource}/${documentId}`);
        const { items, total } = projected.ask<WhatItem>({ kind: "what", user }, Number(position), pageSize);
        expect(items.map(({ document }) => document).sort()).to.deep.equal(expected.sort());
        expect(total).to.equal(expected.length);
      }
    }));

  it("tells what happened to a document, a person and a group, in the order of the log", async () => {
    let told = 0;
    await anyHistory(500, (events, { moment, fact, pageSize }) => {
      const position = positionIn(events, moment);
      const pick = <Value>(values: readonly Value[]): Value => values[fact % values.length] as Value;
      const [datasource, documentId, user, group] = [pick(datasources), pick(documents), pick(people), pick(groupNames)];
      const questions = [
        { question: { kind: "documentTimeline", datasource, documentId }, subject: { datasource, documentId } },
        { question: { kind: "userTimeline", user }, subject: { user } },
        { question: { kind: "groupTimeline", datasource, group }, subject: { datasource, group } },
      ] as const;
      for (const { question, subject } of questions) {
        const { items } = projected.ask<ExplainedFact>(question, Number(position), pageSize);
        expect(items.map(({ position: at, fact: said }) => `${at} ${said}`).sort()).to.deep.equal(naiveTimeline(events, position, subject));
        const order = items.map(({ position: at }) => Number(at));
        expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
        for (const item of items) expect(events.find(({ stream, revision }) => stream === item.stream && revision === item.revision)).to.deep.include({ position: BigInt(item.position) });
        told += items.length;
      }
    });
    expect(told).to.be.greaterThan(1_000);
  });

  it("knows when a person could see a document, when who could, and when the person could see what", () =>
    anyHistory(500, (events, { moment, pageSize }) => {
      const position = positionIn(events, moment);
      const lines = naiveSights(events, position);
      const [asked, upTo] = [sights[moment % sights.length] as (typeof sights)[number], Number(position)];
      const name = `${asked.datasource}/${asked.documentId}`;
      const effective = (user: typeof asked.email | null, document: typeof asked | null) =>
        projected.ask<VisibleItem>({ kind: "effective", user, document }, upTo, pageSize).items.map(lineOf).sort();
      expect(effective(asked.email, asked)).to.deep.equal(lines.filter((line) => line.startsWith(`${asked.email} ${name} `)));
      expect(effective(null, asked)).to.deep.equal(lines.filter((line) => line.split(" ")[1] === name));
      expect(effective(asked.email, null)).to.deep.equal(lines.filter((line) => line.startsWith(`${asked.email} `)));
    }));

  it("knows what one fact alone made visible", async () => {
    let exposed = 0;
    await anyHistory(500, (events, { moment, fact, pageSize }) => {
      const position = positionIn(events, moment);
      const opening = events.filter((event) => event.position <= position && /^(MembershipAdded|UserRegistered|GroupCreated|GroupRenamed|DocumentIndexed)$/.test(event.event.type));
      const chosen = opening[fact % opening.length];
      if (chosen === undefined) return;
      const { items } = projected.ask<VisibleItem>({ kind: "exposureOfEvent", event: Number(chosen.position) }, Number(position), pageSize);
      expect(items.map(lineOf).sort()).to.deep.equal(naiveExposure(events, withoutFactsOf(events, chosen), position));
      exposed += items.length;
    });
    expect(exposed).to.be.greaterThan(30);
  });

  it("knows what one of several grants alone made visible", async () => {
    let exposed = 0;
    await anyHistory(250, (events, { moment, fact }) => {
      const position = positionIn(events, moment);
      const withGrants = events.filter((event) => event.position <= position && openedGrants(events, event).length > 0);
      const chosen = withGrants[fact % withGrants.length];
      if (chosen?.event.type !== "DocumentIndexed") return;
      const [grant] = openedGrants(events, chosen);
      const isLast = (): boolean => !withGrants.some((other) => other.position > chosen.position && other.stream === chosen.stream && openedGrants(events, other).includes(grant ?? ""));
      const { datasource, documentId, datasourceId } = chosen.event.data;
      const isInLastGeneration = events.findLast(({ event }) => event.type === "DatasourceRegistered" && event.data.name === datasource)?.event.data;
      if (grant === undefined || !isLast() || isInLastGeneration === undefined || !("datasourceId" in isInLastGeneration) || isInLastGeneration.datasourceId !== datasourceId) return;
      const [kind, name = ""] = grant.split(" ");
      const target = kind === "anonymous" ? ({ kind } as const) : kind === "user" ? ({ kind, email: name as never } as const) : ({ kind: "group", name } as const);
      const { items } = projected.ask<VisibleItem>({ kind: "exposureOfGrant", datasource, documentId, target }, Number(position));
      expect(items.map(lineOf).sort()).to.deep.equal(naiveExposure(events, withoutGrants(events, chosen, [grant]), position));
      exposed += items.length;
    });
    expect(exposed).to.be.greaterThan(10);
  });
});
