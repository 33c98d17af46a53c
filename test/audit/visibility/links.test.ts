import { expect } from "chai";
import * as fc from "fast-check";
import type { ExplainedFact } from "../../../src/audit/auditFacts.js";
import type { HistoryQuestion, LinkItem, VisibleItem } from "../../../src/audit/historyQuestions.js";
import type { DocumentAccess } from "../../../src/events/document.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import { toDocumentId } from "../../../src/shared/ids.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { events as examples } from "../../support/examples.js";
import { NaiveReplay } from "../../support/naiveReplay.js";
import { allPairs, permissionHistories } from "../../support/permissionHistories.js";
import { ProjectedHistory } from "../../support/projectedHistory.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { recordEvents } from "../../support/recordEvents.js";

const wiki = eventsOn("wiki");
const ann = wiki.email("ann");
const plan = { datasource: wiki.datasource.name, documentId: toDocumentId("plan") };

function indexed(access: Partial<DocumentAccess>): DomainEvent {
  const { data } = examples.DocumentIndexed as Extract<DomainEvent, { type: "DocumentIndexed" }>;
  const granted = { anonymous: false, users: [], groups: [], ...access };
  const { datasourceId, datasource } = wiki;
  return {
    type: "DocumentIndexed",
    data: { ...data, datasourceId, datasource: datasource.name, documentId: plan.documentId, access: granted },
  };
}

/** `from > to` of each link, and what is counted of the two. */
function told({ from, to }: LinkItem): string {
  const counted = ({ name, people, documents, absent }: LinkItem["from"]): string =>
    [name, people, documents, absent && "absent"].filter((part) => part !== undefined).join(" ");
  return `${counted(from)} > ${counted(to)}`;
}

/** Whether the links lead from a document to a person, over places that are there. */
function lead(links: readonly LinkItem[], from: string, to: string): boolean {
  const reached = new Set([`document ${from}`]);
  for (const place of reached)
    for (const link of links)
      if (`${link.from.kind} ${link.from.name}` === place && link.to.absent === undefined)
        reached.add(`${link.to.kind} ${link.to.name}`);
  return reached.has(`person ${to}`);
}

describe("links", () => {
  const projected = new ProjectedHistory();
  beforeEach(() => projected.clear());
  after(() => projected.close());

  const linksOf = (question: HistoryQuestion): readonly LinkItem[] =>
    projected.ask<LinkItem>(question, projected.history.position(), 3).items;

  const company = [
    wiki.opened(),
    ...["all", "staff", "crew", "board", "club"].map((group) => wiki.created(group)),
    ...["ann", "bob", "cid"].map((person) => wiki.registered(person)),
    wiki.nests("staff", "all"),
    wiki.nests("crew", "staff"),
    wiki.joins("ann", "crew"),
    wiki.joins("ann", "board"),
    wiki.joins("ann", "club"),
    wiki.joins("bob", "staff"),
    indexed({ groups: ["all", "board", "ghosts"], users: [wiki.email("cid"), wiki.email("eve")] }),
  ];

  it("tell every way from a document to a person, with the event that made each link, and nothing beside", async () => {
    await projected.project(recordEvents(company));
    const links = linksOf({ kind: "links", document: plan, user: ann });
    expect(links.map(told).sort()).to.deep.equal([
      "wiki/all > wiki/staff",
      "wiki/board > ann@example.org",
      "wiki/crew > ann@example.org",
      "wiki/plan > wiki/all",
      "wiki/plan > wiki/board",
      "wiki/staff > wiki/crew",
    ]);
    expect(links.find(({ to }) => to.name === "wiki/staff")).to.deep.include({
      link: "nesting",
      from: { kind: "group", name: "wiki/all" },
      fact: "the group all contains the group staff",
      event: "MembershipAdded",
      by: "operator",
    });
  });

  it("tell what leads towards each other where nothing meets", async () => {
    await projected.project(
      recordEvents([
        ...company,
        wiki.leaves("ann", "board"),
        wiki.unnests("crew", "staff"),
        wiki.leaves("bob", "staff"),
      ]),
    );
    expect(linksOf({ kind: "links", document: plan, user: ann }).map(told).sort()).to.deep.equal([
      "wiki/all > wiki/staff",
      "wiki/club > ann@example.org",
      "wiki/crew > ann@example.org",
      "wiki/plan > wiki/all",
      "wiki/plan > wiki/board",
      "wiki/plan > wiki/ghosts absent",
    ]);
  });

  it("count the people behind each group of a document, and name who is not registered", async () => {
    await projected.project(recordEvents(company));
    expect(linksOf({ kind: "links", document: plan, user: null }).map(told).sort()).to.deep.equal([
      "wiki/all 0 > wiki/staff 1",
      "wiki/board 1 > ann@example.org",
      "wiki/crew 1 > ann@example.org",
      "wiki/plan > cid@example.org",
      "wiki/plan > eve@example.org absent",
      "wiki/plan > wiki/all 0",
      "wiki/plan > wiki/board 1",
      "wiki/plan > wiki/ghosts absent",
      "wiki/staff 1 > bob@example.org",
      "wiki/staff 1 > wiki/crew 1",
    ]);
    const { datasource } = plan;
    const fan = (of: "people" | "documents") => linksOf({ kind: "linksOfGroup", datasource, group: "board", of });
    expect(fan("people").map(told)).to.deep.equal(["wiki/board > ann@example.org"]);
    expect(fan("documents").map(told)).to.deep.equal(["wiki/plan > wiki/board"]);
  });

  it("count the documents behind each group of a person", async () => {
    await projected.project(recordEvents(company));
    expect(linksOf({ kind: "links", document: null, user: ann }).map(told).sort()).to.deep.equal([
      "wiki 0 > ann@example.org 0",
      "wiki/all 1 > wiki/staff 0",
      "wiki/board 1 > ann@example.org 0",
      "wiki/club 0 > ann@example.org 0",
      "wiki/crew 0 > ann@example.org 0",
      "wiki/plan > wiki/all 1",
      "wiki/plan > wiki/board 1",
      "wiki/staff 0 > wiki/crew 0",
    ]);
  });

  it("count, and leave to a question of its own, the people of a group that has many", async () => {
    const many = Array.from({ length: 9 }, (_, index) => `p${index}`);
    await projected.project(
      recordEvents([
        wiki.opened(),
        wiki.created("all"),
        ...many.flatMap((person) => [wiki.registered(person), wiki.joins(person, "all")]),
        indexed({ groups: ["all"] }),
      ]),
    );
    expect(linksOf({ kind: "links", document: plan, user: null }).map(told)).to.deep.equal(["wiki/plan > wiki/all 9"]);
    const { datasource } = plan;
    const links = linksOf({ kind: "linksOfGroup", datasource, group: "all", of: "people" });
    expect(links.map(({ to }) => to.name)).to.deep.equal(many.map((person) => wiki.email(person)));
  });

  it("lead to a person exactly where the person sees the document, in any history", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(permissionHistories(), async (events) => {
        await projected.clear();
        await projected.project(events);
        const last = events.at(-1);
        if (last === undefined) return;
        const naive = new NaiveReplay(events, last.position);
        for (const pair of allPairs) {
          const document = { datasource: pair.datasource, documentId: pair.documentId };
          const links = linksOf({ kind: "links", document, user: pair.email });
          const name = `${pair.datasource}/${pair.documentId}`;
          expect(lead(links, name, pair.email), `${pair.email} ${name}`).to.equal(naive.maySee(pair));
        }
      }),
      propertyRuns(25),
    );
  });

  it("change wherever it changes whether a person sees a document, in any history", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(permissionHistories(), async (events) => {
        await projected.clear();
        await projected.project(events);
        const position = projected.history.position();
        for (const { datasource, documentId, email } of allPairs) {
          const pair = { document: { datasource, documentId }, user: email };
          const seen = projected.ask<VisibleItem>({ kind: "effective", ...pair }, position).items;
          const changes = projected.ask<ExplainedFact>({ kind: "changes", ...pair }, position, 2).items;
          const marks = changes.map((change) => Number(change.position));
          expect(marks).to.deep.equal(marks.toSorted((a, b) => b - a));
          const turns = seen.flatMap(({ from, until }) => (until === null ? [from] : [from, until])).map(Number);
          expect(turns.filter((turn) => !marks.includes(turn))).to.deep.equal([]);
        }
      }),
      propertyRuns(25),
    );
  });
});
