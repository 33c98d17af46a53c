import { expect } from "chai";
import * as fc from "fast-check";
import type { ExplainedFact } from "../../src/audit/auditFacts.js";
import type { GrantTarget, HistoryQuestion, VisibleItem, WhatItem, WhoItem } from "../../src/audit/historyQuestions.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { toEmail } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { NaiveReplay, type Pair } from "../support/naiveReplay.js";
import { naiveTimeline } from "../support/naiveTimelines.js";
import {
  naiveExposure,
  naiveVisibility,
  openedGrants,
  withoutFactsOf,
  withoutGrants,
} from "../support/naiveVisibility.js";
import {
  datasources,
  documents,
  groupNames,
  people,
  permissionHistories,
  allPairs,
} from "../support/permissionHistories.js";
import { ProjectedHistory } from "../support/projectedHistory.js";
import { propertyRuns } from "../support/propertyRuns.js";

const moments = fc.record({ moment: fc.nat(10_000), fact: fc.nat(10_000), pageSize: fc.integer({ min: 1, max: 5 }) });

/** A line as the naive answers have it. */
const lineOf = ({ user_email, document, from, until }: VisibleItem): string =>
  `${user_email} ${document} ${from} ${until ?? "still"}`;

/** A history, a moment of it, and what is asked of it. */
interface Asked {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  readonly chosen: { readonly moment: number; readonly fact: number; readonly pageSize: number };
}

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

/** Whom a grant is for, of the naive words for it. */
function targetOf(grant: string): GrantTarget {
  const [kind, name = ""] = grant.split(" ");
  if (kind === "anonymous") return { kind };
  return kind === "user" ? { kind, email: toEmail(name) } : { kind: "group", name };
}

describe("the permission history", function () {
  this.timeout(300_000);
  const projected = new ProjectedHistory();
  after(() => projected.close());

  const ask = <Item>(question: HistoryQuestion, { position, chosen }: Asked) =>
    projected.ask<Item>(question, Number(position), chosen.pageSize);

  function checkWho(asked: Asked): number {
    const naive = new NaiveReplay(asked.events, asked.position);
    const seen = allPairs.filter((pair) => naive.maySee(pair));
    for (const datasource of datasources) {
      const documentId = pick(documents, asked.chosen.fact);
      const expected = seen
        .filter((pair) => pair.datasource === datasource && pair.documentId === documentId)
        .map(({ email }) => email);
      const { items, total } = ask<WhoItem>({ kind: "who", datasource, documentId }, asked);
      expect(items.map(({ user_email }) => user_email)).to.deep.equal([...expected].sort());
      expect(total).to.equal(expected.length);
    }
    const user = pick(people, asked.chosen.fact);
    const expected = seen
      .filter(({ email }) => email === user)
      .map(({ datasource, documentId }) => `${datasource}/${documentId}`);
    const { items, total } = ask<WhatItem>({ kind: "what", user }, asked);
    expect(items.map(({ document }) => document).sort()).to.deep.equal(expected.sort());
    expect(total).to.equal(expected.length);
    return seen.length;
  }

  function checkTimeline(asked: Asked): number {
    const {
      events,
      position,
      chosen: { fact, moment },
    } = asked;
    const [datasource, documentId, user, group] = [
      pick(datasources, fact),
      pick(documents, fact),
      pick(people, fact),
      pick(groupNames, fact),
    ];
    const questions = [
      { question: { kind: "documentTimeline", datasource, documentId }, subject: { datasource, documentId } },
      { question: { kind: "userTimeline", user }, subject: { user } },
      { question: { kind: "groupTimeline", datasource, group }, subject: { datasource, group } },
    ] as const;
    const { question, subject } = pick(questions, moment);
    const { items } = ask<ExplainedFact>(question, asked);
    expect(items.map(({ position: at, fact: said }) => `${at} ${said}`).sort()).to.deep.equal(
      naiveTimeline(events, position, subject),
    );
    const order = items.map(({ position: at }) => Number(at));
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
    for (const item of items)
      expect(
        events.find(({ stream, revision }) => stream === item.stream && revision === item.revision),
      ).to.deep.include({ position: BigInt(item.position) });
    return items.length;
  }

  function checkEffective(asked: Asked): number {
    const {
      events,
      position,
      chosen: { fact, moment },
    } = asked;
    const pair = pick(allPairs, fact);
    const isOfDocument = ({ datasource, documentId }: Pair): boolean =>
      datasource === pair.datasource && documentId === pair.documentId;
    const { user, document, pairs } = pick(
      [
        { user: pair.email, document: pair, pairs: [pair] },
        { user: null, document: pair, pairs: allPairs.filter(isOfDocument) },
        { user: pair.email, document: null, pairs: allPairs.filter(({ email }) => email === pair.email) },
      ],
      moment,
    );
    const { items } = ask<VisibleItem>({ kind: "effective", user, document }, asked);
    expect(items.map(lineOf).sort()).to.deep.equal(naiveVisibility(events, position, pairs));
    return items.length;
  }

  function checkExposure(asked: Asked): number {
    const {
      events,
      position,
      chosen: { fact },
    } = asked;
    const opening = events.filter(
      (event) =>
        event.position <= position &&
        /^(MembershipAdded|GroupMembersReplaced|UserRegistered|GroupCreated|GroupRenamed|DocumentIndexed)$/.test(
          event.event.type,
        ),
    );
    const opened = opening[fact % opening.length];
    if (opened === undefined) return 0;
    const { items, about } = ask<VisibleItem>({ kind: "exposureOfEvent", event: Number(opened.position) }, asked);
    if (about !== undefined)
      expect([about.stream, about.revision, about.event]).to.deep.equal([
        opened.stream,
        opened.revision,
        opened.event.type,
      ]);
    expect(about !== undefined || items.length === 0).to.equal(true);
    expect(items.map(lineOf).sort()).to.deep.equal(naiveExposure(events, withoutFactsOf(events, opened), position));
    return items.length;
  }

  /** Of a grant that is the last of its kind: others are asked for by their event. */
  function checkExposureOfGrant(asked: Asked): number {
    const {
      events,
      position,
      chosen: { fact },
    } = asked;
    const withGrants = events.filter((event) => event.position <= position && openedGrants(events, event).length > 0);
    const opened = withGrants[fact % withGrants.length];
    if (opened?.event.type !== "DocumentIndexed") return 0;
    const [grant = ""] = openedGrants(events, opened);
    const isLast = !withGrants.some(
      (other) =>
        other.position > opened.position &&
        other.stream === opened.stream &&
        openedGrants(events, other).includes(grant),
    );
    const { datasource, documentId, datasourceId } = opened.event.data;
    const last = events.findLast(({ event }) => event.type === "DatasourceRegistered" && event.data.name === datasource)
      ?.event.data;
    if (
      grant === "" ||
      !isLast ||
      last === undefined ||
      !("datasourceId" in last) ||
      last.datasourceId !== datasourceId
    )
      return 0;
    const { items } = ask<VisibleItem>(
      { kind: "exposureOfGrant", datasource, documentId, target: targetOf(grant) },
      asked,
    );
    expect(items.map(lineOf).sort()).to.deep.equal(
      naiveExposure(events, withoutGrants(events, opened, [grant]), position),
    );
    return items.length;
  }

  it("answers who, what, history, effective and exposure as a naive replay of the log does, as of any moment, in 5000 histories", async () => {
    const found = { seen: 0, told: 0, visible: 0, exposed: 0, exposedByGrant: 0 };
    const property = fc.asyncProperty(permissionHistories(), moments, async (events, chosen) => {
      await projected.clear();
      await projected.project(events);
      const asked = { events, position: (events[chosen.moment % events.length] as RecordedEvent).position, chosen };
      found.seen += checkWho(asked);
      found.told += checkTimeline(asked);
      found.visible += checkEffective(asked);
      if (chosen.fact % 2 === 0) found.exposed += checkExposure(asked);
      else found.exposedByGrant += checkExposureOfGrant(asked);
    });
    await fc.assert(property, propertyRuns(5_000));
    expect(found.seen).to.be.greaterThan(2_000);
    expect(found.told).to.be.greaterThan(4_000);
    expect(found.visible).to.be.greaterThan(500);
    expect(found.exposed).to.be.greaterThan(150);
    expect(found.exposedByGrant).to.be.greaterThan(100);
  });
});
