import { expect } from "chai";
import * as fc from "fast-check";
import type { AccessAnswer, Moment } from "../../../src/audit/auditQueries.js";
import { createAccess } from "../../../src/audit/access/access.js";
import { StreamTimelines } from "../../../src/audit/timeline/streamTimelines.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../../src/shared/ids.js";
import { toPosition, type Position } from "../../../src/shared/position.js";
import { NaiveReplay, naivePositionAt } from "../../support/naiveReplay.js";
import { historyBegins, permissionHistories, allPairs } from "../../support/permissionHistories.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { recordedLog } from "../../support/recordedLog.js";
import { trialOn } from "../../support/trialOn.js";

/** Nobody asks about now here. */
const unserved = undefined as never;
const now = () => new Date("2027-01-01T00:00:00.000Z");
const strangers = {
  email: toEmail("eve@example.org"),
  datasource: toDatasourceName("nowhere"),
  documentId: toDocumentId("nothing"),
};

const ask = (events: readonly RecordedEvent[]) => {
  const log = recordedLog(events);
  const access = createAccess({ log, timelines: new StreamTimelines(log), clock: log, now, served: unserved });
  return async ({ email: user, ...document }: (typeof allPairs)[number], at: Moment): Promise<AccessAnswer> => {
    const answer = await access({ user, ...document, at });
    if (!answer.ok) throw new Error(answer.error.type);
    return answer.value;
  };
};

/** What the log says at the places that an explanation names, and nothing else. */
const explainedEvents = (events: readonly RecordedEvent[], { explanation }: AccessAnswer): readonly RecordedEvent[] =>
  events.filter((event) =>
    explanation.some(
      ({ stream, revision, position }) =>
        event.stream === stream && event.revision === revision && String(event.position) === position,
    ),
  );

const moments = fc.array(fc.record({ pair: fc.nat(allPairs.length - 1), at: fc.nat(10_000), byTime: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

describe("access as of a moment", () => {
  it("is what a naive replay of the log up to there says, and its explanation is enough to say so", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(permissionHistories(), moments, async (events, asked) => {
        const answerOf = ask(events);
        for (const { pair: index, at, byTime } of asked) {
          const pair = allPairs[index] as (typeof allPairs)[number];
          const last = Number(events.at(-1)?.position ?? 0n);
          const time = historyBegins - 10_000 + at * 20;
          const position = byTime ? naivePositionAt(events, time) : toPosition(at % (last + 1));
          const answer = await answerOf(pair, byTime ? { kind: "time", time } : { kind: "position", position });
          const expected = new NaiveReplay(events, position).maySee(pair);
          expect([answer.position, answer.has_access]).to.deep.equal([String(position), expected]);
          if (expected) seen++;
          expectExplained(events, pair, answer, position);
        }
      }),
      propertyRuns(5_000),
    );
    expect(seen).to.be.greaterThan(1_000);
  });

  it("is granted by the smallest change that is told, sent to the API as it stands", async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(
        permissionHistories(),
        fc.constantFrom(...allPairs),
        fc.nat(10_000),
        async (history, pair, moment) => {
          const position = (history[moment % history.length] as RecordedEvent).position;
          const { smallest_change: change } = await ask(history)(pair, { kind: "position", position });
          if (change === undefined) return;
          changes++;
          const events = history.filter((event) => event.position <= position);
          const trial = trialOn(history, position);
          const outcomes = await trial.run(change);
          expect(outcomes.map(({ status }) => status)).to.deep.equal(change.map(() => 200));
          const after = [...events, ...trial.appended()];
          expect(new NaiveReplay(after, after.at(-1)?.position as Position).maySee(pair)).to.equal(true);
        },
      ),
      propertyRuns(1_000),
    );
    expect(changes).to.be.greaterThan(500);
  });

  it("is no, with the reason, for whoever and whatever there never was", async () => {
    await fc.assert(
      fc.asyncProperty(permissionHistories(20), fc.constantFrom(...allPairs), async (events, pair) => {
        const answerOf = ask(events);
        const position = events.at(-1)?.position as Position;
        const kinds = [];
        for (const name of ["email", "datasource", "documentId"] as const) {
          const answer = await answerOf({ ...pair, [name]: strangers[name] }, { kind: "position", position });
          kinds.push(answer.has_access ? "access" : answer.missing?.kind);
        }
        expect(kinds[0]).to.be.oneOf(["not_registered", "document_absent", "datasource_absent"]);
        expect(kinds[1]).to.equal("datasource_absent");
        expect(kinds[2]).to.be.oneOf(["document_absent", "datasource_absent"]);
      }),
      propertyRuns(200),
    );
  });
});

function expectExplained(
  events: readonly RecordedEvent[],
  pair: (typeof allPairs)[number],
  answer: AccessAnswer,
  position: Position,
): void {
  const { has_access: hasAccess, explanation, missing, smallest_change: change } = answer;
  const told = [explanation.length > 0, missing === undefined, change === undefined, change?.length === 0];
  expect(told).to.deep.equal([hasAccess, hasAccess, hasAccess, false]);
  if (!hasAccess) return expectEnded(events, pair, missing, position);
  const named = explainedEvents(events, answer);
  const places = new Set(explanation.map(({ position: at }) => at)).size;
  expect([named.length, new NaiveReplay(named, position).maySee(pair)]).to.deep.equal([places, true]);
}

/** What is said to have ended did, and where it is a membership, that it ended is all that stands between. */
function expectEnded(
  events: readonly RecordedEvent[],
  pair: (typeof allPairs)[number],
  missing: AccessAnswer["missing"],
  position: Position,
): void {
  const { ended, kind } = missing ?? {};
  if (ended === undefined) return;
  const ending = events.find((event) => event.stream === ended.stream && event.revision === ended.revision);
  expect([ending?.event.type, String(ending?.position)]).to.deep.equal([ended.event, ended.position]);
  if (kind === "not_a_member" && ending !== undefined)
    expect(new NaiveReplay(hadNotEnded(events, ending, pair.email), position).maySee(pair)).to.equal(true);
}

/** The history, had this event not ended a membership, nor those after it that end the same once more. */
function hadNotEnded(
  events: readonly RecordedEvent[],
  ending: RecordedEvent,
  person: (typeof allPairs)[number]["email"],
): readonly RecordedEvent[] {
  const group = "groupId" in ending.event.data ? ending.event.data.groupId : null;
  return events.flatMap((each) => {
    const { event, position } = each;
    if (position < ending.position) return [each];
    if (event.type === "GroupMembersReplaced" && (group === null || group === event.data.groupId)) {
      const left = event.data.left.filter((email) => email !== person);
      return [{ ...each, event: { ...event, data: { ...event.data, left } } }];
    }
    const isDeletion = event.type === "UserDeleted" && event.data.email === person;
    const isRepeated =
      event.type === "MembershipRemoved" &&
      event.data.member.kind === "user" &&
      event.data.member.email === person &&
      event.data.groupId === group;
    return each === ending || isDeletion || isRepeated ? [] : [each];
  });
}
