import { expect } from "chai";
import * as fc from "fast-check";
import type { VisibleItem, WhoItem } from "../../../src/audit/historyQuestions.js";
import { HistoryPages } from "../../../src/audit/asOf/historyPages.js";
import type { ExplainedFact } from "../../../src/audit/auditQueries.js";
import type { DocumentAccess } from "../../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../../src/events/domainEvent.js";
import { toDocumentId } from "../../../src/shared/ids.js";
import { beginning, toPosition } from "../../../src/shared/position.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { events as examples } from "../../support/examples.js";
import { rowsOf } from "../../support/historyRows.js";
import { permissionHistories } from "../../support/permissionHistories.js";
import { ProjectedHistory } from "../../support/projectedHistory.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { recordEvents } from "../../support/recordEvents.js";

const wiki = eventsOn("wiki");
const files = eventsOn("files");
const plan = toDocumentId("plan");
const nobody: DocumentAccess = { anonymous: false, users: [], groups: [] };

function indexed(on: ReturnType<typeof eventsOn>, access: Partial<DocumentAccess>): DomainEvent {
  const { data } = examples.DocumentIndexed as Extract<DomainEvent, { type: "DocumentIndexed" }>;
  return {
    type: "DocumentIndexed",
    data: {
      ...data,
      datasourceId: on.datasourceId,
      datasource: on.datasource.name,
      documentId: plan,
      access: { ...nobody, ...access },
    },
  };
}

describe("permissionHistory", () => {
  let projected: ProjectedHistory;
  beforeEach(() => void (projected = new ProjectedHistory(40)));
  afterEach(() => projected.close());

  const timelineOf = (document: { datasource: never; documentId: never }): readonly (readonly [string, string])[] =>
    projected
      .ask<ExplainedFact>({ kind: "documentTimeline", ...document }, projected.history.position())
      .items.map(({ fact, position }) => [fact, position]);
  const planOf = (on: ReturnType<typeof eventsOn>) => ({
    datasource: on.datasource.name as never,
    documentId: plan as never,
  });

  it("goes on with a grant that is said again, and ends the others", async () => {
    await projected.project(
      recordEvents([
        wiki.opened(),
        indexed(wiki, { users: [wiki.email("ann")], groups: ["staff"] }),
        indexed(wiki, { users: [wiki.email("ann")], groups: ["board"] }),
        indexed(wiki, { users: [wiki.email("ann")], groups: ["board"] }),
        {
          type: "DocumentDeleted",
          data: { ...examples.DocumentDeleted.data, datasourceId: wiki.datasourceId, documentId: plan },
        } as DomainEvent,
      ]),
    );
    expect(timelineOf(planOf(wiki))).to.deep.equal([
      ["wiki/plan was indexed", "4"],
      ["wiki/plan was granted to ann@example.org", "4"],
      ["wiki/plan was granted to the group staff", "4"],
      ["the grant of wiki/plan to the group staff ended", "6"],
      ["wiki/plan was granted to the group board", "6"],
      ["wiki/plan was deleted", "10"],
      ["the grant of wiki/plan to ann@example.org ended", "10"],
      ["the grant of wiki/plan to the group board ended", "10"],
    ]);
  });

  it("tells of people and groups by the names that groups had then, and from which event it knows", async () => {
    await projected.project(
      recordEvents([
        wiki.opened(),
        wiki.created("staff"),
        wiki.created("crew"),
        wiki.registered("ann"),
        wiki.joins("ann", "crew"),
        wiki.nests("crew", "staff"),
        wiki.renamed("crew", "team"),
        wiki.leaves("ann", "crew"),
        wiki.deleted(),
      ]),
    );
    const at = projected.history.position();
    const user = projected.ask<ExplainedFact>({ kind: "userTimeline", user: wiki.email("ann") }, at).items;
    expect(user.map(({ fact }) => fact)).to.deep.equal([
      "ann@example.org was registered on wiki",
      "ann@example.org joined the group crew",
      "ann@example.org left the group team",
      "the datasource wiki was deleted",
    ]);
    expect(user[1]).to.deep.equal({
      fact: "ann@example.org joined the group crew",
      event: "MembershipAdded",
      stream: "user-wiki-1:ann@example.org",
      revision: 4,
      position: "10",
      time: "2026-01-02T03:04:05.678Z",
      by: "operator",
    });
    const group = projected.ask<ExplainedFact>(
      { kind: "groupTimeline", datasource: wiki.datasource.name, group: "team" },
      at,
    ).items;
    expect(group.map(({ fact }) => fact)).to.deep.equal([
      "the group crew was created",
      "ann@example.org joined the group crew",
      "the group crew joined the group staff",
      "the group crew was renamed to team",
      "ann@example.org left the group team",
      "the datasource wiki was deleted",
    ]);
    expect(group.length).to.equal(6);
  });

  it("says through which groups, by the shortest way", async () => {
    await projected.project(
      recordEvents([
        wiki.opened(),
        wiki.created("all"),
        wiki.created("staff"),
        wiki.created("crew"),
        wiki.registered("ann"),
        wiki.registered("bob"),
        wiki.nests("staff", "all"),
        wiki.nests("crew", "staff"),
        wiki.joins("ann", "crew"),
        wiki.joins("bob", "staff"),
        wiki.joins("bob", "crew"),
        indexed(wiki, { groups: ["all"] }),
      ]),
    );
    const { items } = projected.ask<WhoItem>({ kind: "who", ...planOf(wiki) }, projected.history.position());
    expect(items).to.deep.equal([
      { user_email: "ann@example.org", via: { grant: "group", groups: ["all", "staff", "crew"] } },
      { user_email: "bob@example.org", via: { grant: "group", groups: ["all", "staff"] } },
    ]);
  });

  it("answers for a datasource up to the event that is parked, and for the others further", async () => {
    const fine = recordEvents([
      wiki.opened(),
      files.opened(),
      wiki.registered("ann"),
      files.registered("ann"),
      indexed(wiki, { anonymous: true }),
      indexed(files, { anonymous: true }),
    ]);
    await projected.project(fine);
    const [parked, ...later] = recordEvents(
      [wiki.registered("bob"), files.registered("bob"), wiki.registered("cid")],
      100,
    ) as [RecordedEvent, ...RecordedEvent[]];
    await projected.park(parked);
    await projected.project(later);
    const pages = new HistoryPages(projected.history);
    const who = (on: ReturnType<typeof eventsOn>, position: number) =>
      pages.page({ question: { kind: "who", ...planOf(on) }, position, offset: 0, count: 9 });
    expect(who(wiki, 101)).to.deep.include({ ok: true });
    expect(who(wiki, 102)).to.deep.equal({ ok: false, error: { type: "HistoryParked", datasource: "wiki" } });
    const others = who(files, 106);
    expect(others.ok && others.value.items.map((item) => (item as WhoItem).user_email)).to.deep.equal([
      "ann@example.org",
      "bob@example.org",
    ]);
    for (const question of [
      { kind: "what", user: wiki.email("ann") },
      { kind: "userTimeline", user: wiki.email("ann") },
      { kind: "effective", user: wiki.email("ann"), document: null },
      { kind: "exposureOfEvent", event: 6 },
    ] as const) {
      expect(pages.page({ question, position: 106, offset: 0, count: 9 }).ok, question.kind).to.equal(false);
    }
  });

  it("answers for no datasource where nobody knows of which the parked event is", async () => {
    await projected.project(recordEvents([wiki.opened(), wiki.registered("ann")]));
    const [event] = recordEvents([files.opened()], 100) as [RecordedEvent];
    await projected.park({
      ...event,
      unreadable: { type: "DatasourceRegistered", reason: new Error("It is damaged."), datasourceId: null },
    });
    expect(
      new HistoryPages(projected.history).page({
        question: { kind: "who", ...planOf(wiki) },
        position: 102,
        offset: 0,
        count: 9,
      }).ok,
    ).to.equal(false);
  });

  it("knows by its stream which datasource's registration is parked, and answers for the others", async () => {
    await projected.project(recordEvents([wiki.opened(), wiki.registered("ann")]));
    await projected.park(recordEvents([files.opened()], 100)[0] as RecordedEvent);
    const answers = (question: Parameters<HistoryPages["page"]>[0]["question"]): boolean =>
      new HistoryPages(projected.history).page({ question, position: 102, offset: 0, count: 9 }).ok;
    expect([wiki, files].map((on) => answers({ kind: "who", ...planOf(on) }))).to.deep.equal([true, false]);
    expect(answers({ kind: "what", user: wiki.email("ann") })).to.equal(false);
  });

  it("goes on where an event of a credential cannot be read: it decides nothing about documents", async () => {
    await projected.project(recordEvents([wiki.opened(), wiki.registered("ann"), indexed(wiki, { anonymous: true })]));
    await projected.park(recordEvents([examples.ApiKeyRevoked], 100)[0] as RecordedEvent);
    expect(
      projected.ask<WhoItem>({ kind: "who", ...planOf(wiki) }, 102).items.map(({ user_email: email }) => email),
    ).to.deep.equal(["ann@example.org"]);
  });

  it("says why there is nothing", async () => {
    await projected.project(recordEvents([wiki.opened(), wiki.registered("ann"), wiki.personRenamed("ann")]));
    const pages = new HistoryPages(projected.history);
    const missing = (question: Parameters<typeof pages.page>[0]["question"]): unknown => {
      const page = pages.page({ question, position: 6, offset: 0, count: 9 });
      return page.ok ? [page.value.items, page.value.missing?.kind] : page.error;
    };
    expect(missing({ kind: "who", ...planOf(files) })).to.deep.equal([[], "datasource_absent"]);
    expect(missing({ kind: "who", ...planOf(wiki) })).to.deep.equal([[], "document_absent"]);
    expect(missing({ kind: "what", user: wiki.email("bob") })).to.deep.equal([[], "not_registered"]);
    expect(missing({ kind: "exposureOfEvent", event: 6 })).to.deep.equal([[], "nothing_opened"]);
    expect(missing({ kind: "exposureOfEvent", event: 7 })).to.deep.equal([[], "nothing_opened"]);
  });

  it("keeps what a membership exposed apart from what was visible anyway", async () => {
    await projected.project(
      recordEvents([
        wiki.opened(),
        wiki.created("staff"),
        wiki.registered("ann"),
        indexed(wiki, { groups: ["staff"] }),
        wiki.joins("ann", "staff"),
        indexed(wiki, { groups: ["staff"], users: [wiki.email("ann")] }),
        indexed(wiki, { groups: ["staff"] }),
      ]),
    );
    const { items } = projected.ask<VisibleItem>({ kind: "exposureOfEvent", event: 10 }, projected.history.position());
    expect(items.map(({ from, until }) => [from, until])).to.deep.equal([
      ["10", "12"],
      ["14", null],
    ]);
  });

  it("comes to the same rows in batches of any size, held back or not, over restarts", async () => {
    const step = fc.record({
      size: fc.integer({ min: 1, max: 30 }),
      moreToCome: fc.boolean(),
      isRestart: fc.boolean(),
    });
    const property = fc.asyncProperty(
      permissionHistories(),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (events, steps) => {
        await projected.clear();
        await projected.project(events);
        const whole = rowsOf(projected.file);
        await projected.clear();
        const last = events.at(-1)?.position ?? beginning;
        for (let turn = 0, after = beginning; after < last; turn++) {
          const { size, moreToCome, isRestart } = steps[turn % steps.length] as (typeof steps)[number];
          if (isRestart && turn < 2 * steps.length) {
            projected.restart();
            after = await projected.checkpoint();
          }
          const batch = events.filter(({ position }) => position > after).slice(0, size);
          const position = batch.at(-1)?.position ?? last;
          expect(await projected.apply(after, batch, moreToCome && position < last)).to.equal("applied");
          after = position;
        }
        expect(rowsOf(projected.file)).to.deep.equal(whole);
      },
    );
    await fc.assert(property, propertyRuns(60));
  });

  it("writes nothing where another process was faster", async () => {
    const events = recordEvents([wiki.opened(), wiki.registered("ann")]);
    await projected.project(events);
    expect(await projected.apply(toPosition(2), recordEvents([wiki.registered("bob")], 2), false)).to.equal(
      "checkpointConflict",
    );
    expect(rowsOf(projected.file).some((row) => row.includes("bob"))).to.equal(false);
  });
});
