import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { HistoryPages } from "../../../src/audit/asOf/historyPages.js";
import type { HistoryQuestion } from "../../../src/audit/historyQuestions.js";
import { provableHistory } from "../../../src/operations/verify/provableReadModel.js";
import { createVerification } from "../../../src/operations/verify/createVerification.js";
import { compareHistories } from "../../../src/operations/verify/history/compareHistories.js";
import type { VerificationAnswer } from "../../../src/operations/verify/verification.js";
import type { DomainEvent, RecordedEvent } from "../../../src/events/domainEvent.js";
import { discardable } from "../../../src/events/discardable.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { events as examples } from "../../support/examples.js";
import { documentsIn } from "../../support/documentLanguage.js";
import { FollowedHistory, readBy } from "../../support/followedHistory.js";
import { GrowingLog } from "../../support/growingLog.js";
import { rowsOf } from "../../support/historyRows.js";
import { people, permissionHistories, allPairs } from "../../support/permissionHistories.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { tokens } from "../../support/readModelWriters.js";
import { RememberedTexts } from "../../support/servedReadModels.js";
import Database from "better-sqlite3";
import * as fc from "fast-check";

const [wiki, again, files] = [eventsOn("wiki"), eventsOn("wiki", 2), eventsOn("files")];
const { indexed, deleted } = documentsIn(new RememberedTexts());
const access = { users: [wiki.email("ada")], groups: ["crew"] };

/** Positions are two apart, from 2 on. */
const story: readonly DomainEvent[] = [
  wiki.opened(),
  wiki.created("pilots"),
  wiki.created("crew"),
  wiki.registered("ada"),
  wiki.registered("bob"),
  wiki.joins("ada", "pilots"),
  wiki.nests("pilots", "crew"),
  indexed(wiki.datasource, "open"),
  indexed(wiki.datasource, "plan", { access }),
  wiki.renamed("crew", "team"),
  wiki.leaves("ada", "pilots"),
  deleted(wiki.datasource, "open"),
  files.opened(),
  files.registered("cid"),
  indexed(files.datasource, "list"),
  wiki.deleted(),
  again.opened(),
  again.registered("ada"),
  {
    type: "ApiKeyCreated",
    data: { id: "key" as never, email: wiki.email("ada"), secretSha256: "hash", expiresAt: null, roles: [] },
  },
];

const number = (table: string, column: string, value: string): string =>
  `(SELECT id FROM ${table} WHERE ${column} = '${value}' AND incarnation = 1)`;
const plan = number("documents", "document_id", "plan");
const ada = number("principals", "name", "ada@example.org");
const bob = number("principals", "name", "bob@example.org");
const [pilots, crew] = ["pilots", "crew"].map((group) => number("groups", "group_id", `id of ${group}`));

/** What can become of rows behind the program's back, and as what each shows: kind, subject and aspects. */
const damages: Readonly<Record<string, readonly [sql: string, kind: string, subject: string, ...aspects: string[]]>> = {
  "a registration of a datasource is gone": [
    "UPDATE incarnations SET opened = NULL WHERE datasource_id = 'files-1'",
    "datasource",
    "files",
    "registration files-1",
  ],
  "a datasource is there again": [
    "UPDATE incarnations SET closed = NULL WHERE datasource_id = 'wiki-1'",
    "datasource",
    "wiki",
    "registration wiki-1",
  ],
  "a datasource that never was": [
    "INSERT INTO incarnations (datasource_id, name, opened) VALUES ('x', 'extra', 5)",
    "datasource",
    "extra",
    "registration x",
  ],
  "a person is not registered": [
    `DELETE FROM registrations WHERE person = ${bob}`,
    "person",
    "bob@example.org on wiki",
    "registration",
  ],
  "a person is registered whom nobody has": [
    "INSERT INTO principals (id, incarnation, kind, name) VALUES (9000, 1, 1, 'eve@example.org'); INSERT INTO registrations (incarnation, person, opened) VALUES (1, 9000, 9)",
    "person",
    "eve@example.org on wiki",
    "registration",
  ],
  "a group has another name": [
    `UPDATE group_names SET closed = NULL WHERE closed IS NOT NULL AND grp = ${crew}`,
    "group",
    "crew on wiki",
    "name crew",
  ],
  "a group is nested no more": [
    `DELETE FROM nestings WHERE member = ${pilots}`,
    "group",
    "pilots on wiki",
    "membership of group id of crew",
  ],
  "a membership never ended": [
    `UPDATE memberships SET closed = NULL WHERE person = ${ada}`,
    "person",
    "ada@example.org on wiki",
    "membership of group id of pilots",
  ],
  "a membership that never was": [
    `INSERT INTO memberships VALUES (${bob}, ${crew}, 11, NULL)`,
    "person",
    "bob@example.org on wiki",
    "membership of group team (by no event)",
  ],
  "a document was never there": [
    `DELETE FROM existences WHERE document = ${plan}`,
    "document",
    "wiki/plan",
    "existence",
  ],
  "a grant is gone": [
    `DELETE FROM grants WHERE document = ${plan} AND principal = ${ada}`,
    "document",
    "wiki/plan",
    "grant to ada@example.org",
  ],
  "a grant that never was": [
    `INSERT INTO grants VALUES (${plan}, ${bob}, 12, 14)`,
    "document",
    "wiki/plan",
    "grant to bob@example.org",
  ],
  "a document that never was": [
    "INSERT INTO documents VALUES (99, 1, 'ghost'); INSERT INTO grants SELECT 99, id, 12, NULL FROM principals WHERE name = 'ada@example.org' AND incarnation = 1",
    "document",
    "wiki/ghost",
    "grant to ada@example.org",
  ],
  "an event is forgotten": [
    "DELETE FROM origins WHERE position = 12",
    "event",
    "12",
    "stream",
    "revision",
    "event",
    "time",
    "by",
  ],
  "an event is another's": ["UPDATE origins SET subject = subject + 1 WHERE position = 12", "event", "12", "stream"],
  "the clock went wrong": [
    "UPDATE origins SET latest = latest + 60000 WHERE position = 12",
    "event",
    "12",
    "clock",
    "time",
  ],
};

const aspectsOf = (answer: VerificationAnswer["drift"][number]): readonly string[] =>
  answer.differences.map(({ aspect }) => aspect);

describe("the verification of the permission history", () => {
  let log: GrowingLog;
  let followed: FollowedHistory;
  beforeEach(() => {
    log = new GrowingLog();
    followed = new FollowedHistory();
  });
  afterEach(() => followed.close());

  const verify = async (repair: boolean): Promise<VerificationAnswer> => {
    const verification = createVerification({
      ...{
        log,
        tokens,
        versionsOf: () => ({ live: 1, underWay: null, kept: [] }),
        rest: () => nextTurn(),
        patienceMs: { reach: 5_000, repair: 5_000 },
      },
      readModel: () => ({
        progress: followed.clock,
        prove: async (look) => ({
          proof: provableHistory(() => followed.open()).prove(look, followed.clock, followed.clock),
          close: () => undefined,
        }),
      }),
      parked: () => followed.clock.parked(),
    });
    const request = async (version: number, scopes: readonly string[]) => {
      log.append({ type: "ReadModelRepairRequested", data: { projection: "permissionHistory", version, scopes } });
      await followed.follow(log);
      return log.end;
    };
    const answer = await verification.verify(
      { name: "permissionHistory", sample: 1, seed: "" },
      repair ? request : null,
    );
    if (!answer.ok) throw new Error(answer.error.type);
    return answer.value;
  };
  const change = (sql: string): void => {
    const database = new Database(followed.file);
    database.exec(sql);
    database.close();
  };

  for (const [damage, [sql, kind, subject, ...aspects]] of Object.entries(damages)) {
    it(`finds, names and mends: ${damage}`, async () => {
      log.append(...story);
      await followed.follow(log);
      const before = rowsOf(followed.file);
      expect((await verify(false)).drift).to.deep.equal([]);
      change(sql);
      const { drift, remaining } = await verify(true);
      expect(drift.slice(0, 1).map((found) => [found.kind, found.subject, ...aspectsOf(found)])).to.deep.equal([
        [kind, subject, ...aspects],
      ]);
      expect(remaining).to.deep.equal([]);
      expect((await verify(false)).drift).to.deep.equal([]);
      expect(rowsOf(followed.file)).to.deep.equal(before);
    });
  }

  it("finds and mends a datasource that nobody is answered for, though nothing of it is parked", async () => {
    log.append(...story);
    await followed.follow(log);
    const before = rowsOf(followed.file);
    change("INSERT INTO suspensions VALUES ('wiki-1', 7)");
    log.append(again.created("cooks"), files.registered("dee"));
    await followed.follow(log);
    expect((await verify(true)).suspended).to.deep.equal(["wiki"]);
    expect((await verify(false)).suspended).to.deep.equal([]);
    expect(rowsOf(followed.file)).to.include.members([...before]);
  });

  /** Any history of which an event can't be read at first, and a moment at which somebody asks. */
  const anyParked = (run: (events: readonly RecordedEvent[], chosen: RecordedEvent) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(permissionHistories(40), fc.nat(), async (events, choice) => {
        log = new GrowingLog();
        followed = new FollowedHistory();
        log.record(...events);
        await run(events, events[choice % events.length] as RecordedEvent).finally(() => followed.close());
      }),
      propertyRuns(40),
    );

  it("is whole again, whatever was parked, once that was retried; and tells nothing wrong before", async () => {
    followed.close();
    await anyParked(async (events, chosen) => {
      const cannotRead = ({ position }: RecordedEvent): boolean => position === chosen.position;
      await followed.follow(log, cannotRead);
      const [parked] = await followed.clock.parked();
      expect(parked?.position).to.equal(chosen.position);
      expect((await compareHistories({ log: readBy(log, cannotRead), served: followed.open() })).drift).to.deep.equal(
        [],
      );
      log.append({
        type: "ParkedEventRetried",
        data: { projection: "permissionHistory", version: 1, position: String(chosen.position) },
      });
      await followed.follow(log);
      expect(await followed.clock.parked()).to.deep.equal([]);
      const fresh = new FollowedHistory();
      await fresh.follow(log);
      expect(rowsOf(followed.file)).to.deep.equal(rowsOf(fresh.file));
      expect((await compareHistories({ log, served: followed.open(), against: fresh.open() })).drift).to.deep.equal([]);
      // A page that was begun on one version goes on in the other: both tell the same in the same order.
      for (const question of questions)
        expect(itemsOf(followed, question, events), JSON.stringify(question)).to.deep.equal(
          itemsOf(fresh, question, events),
        );
      fresh.close();
    });
    followed = new FollowedHistory();
  });

  for (const event of [
    wiki.personRenamed("bob"),
    examples.ApiKeyRevoked,
    { type: "DatasourceUpdated", data: { datasourceId: wiki.datasourceId, displayName: "W" } } as DomainEvent,
  ]) {
    it(`is whole without an event that says nothing of who may see what: ${event.type}`, async () => {
      expect(discardable.permissionHistory).to.include(event.type);
      log.append(...story.slice(0, 9));
      const position = log.append(event);
      log.append(...story.slice(9));
      const cannotRead = (recorded: RecordedEvent): boolean => recorded.position === position;
      await followed.follow(log, cannotRead);
      log.append({
        type: "ParkedEventDiscarded",
        data: { projection: "permissionHistory", version: 1, position: String(position) },
      });
      await followed.follow(log, cannotRead);
      expect(await followed.clock.parked()).to.deep.equal([]);
      const { drift, suspended } = await compareHistories({ log: readBy(log, cannotRead), served: followed.open() });
      expect({ drift, suspended }).to.deep.equal({ drift: [], suspended: [] });
      const fresh = new FollowedHistory();
      await fresh.follow(log);
      expect(rowsOf(followed.file)).to.deep.equal(rowsOf(fresh.file));
      fresh.close();
    });
  }

  it("finds every difference between two versions, and none where there is none", async () => {
    followed.close();
    await anyParked(async (_, chosen) => {
      await followed.follow(log);
      const other = new FollowedHistory();
      await other.follow(log);
      expect((await compareHistories({ log, served: followed.open(), against: other.open() })).drift).to.deep.equal([]);
      const tables = ["group_names", "nestings", "memberships", "existences", "grants"];
      const database = new Database(other.file);
      const table = tables[Number(chosen.position) % tables.length] as string;
      const { changes } = database
        .prepare(`DELETE FROM ${table} WHERE opened = (SELECT min(opened) FROM ${table})`)
        .run();
      database.close();
      const { drift, complete } = await compareHistories({ log, served: other.open(), against: followed.open() });
      expect({ differs: drift.length > 0, complete }).to.deep.equal({ differs: changes > 0, complete: true });
      other.close();
    });
    followed = new FollowedHistory();
  });
});

const questions: readonly HistoryQuestion[] = [
  ...people.flatMap((user): readonly HistoryQuestion[] => [
    { kind: "what", user },
    { kind: "userTimeline", user },
    { kind: "effective", user, document: null },
  ]),
  ...allPairs
    .slice(0, 6)
    .map(({ datasource, documentId }): HistoryQuestion => ({ kind: "documentTimeline", datasource, documentId })),
];

/** In their order, by what people see of them. */
function itemsOf(
  { history }: FollowedHistory,
  question: HistoryQuestion,
  events: readonly RecordedEvent[],
): readonly unknown[] {
  const page = new HistoryPages(history).page({
    question,
    position: Number(events.at(-1)?.position),
    offset: 0,
    count: 10_000,
  });
  if (!page.ok) throw new Error(page.error.type);
  return page.value.items.map((item) => ("via" in item ? (item as { readonly document?: unknown }).document : item));
}
