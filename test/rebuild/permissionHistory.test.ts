import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import type { WhatItem, WhoItem } from "../../src/audit/historyQuestions.js";
import type { ParkedAnswer } from "../../src/operations/parked/parkedEvents.js";
import type { VerificationAnswer } from "../../src/operations/verify/verification.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { ProjectionsAnswer, ProjectionStatus } from "../../src/readModels/projectionStatus.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import type { ApiClient } from "../support/apiClient.js";
import { NaiveReplay } from "../support/naiveReplay.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { Operator } from "./operator.js";

const name = "permissionHistory";
const people = ["ann", "bob", "cid", "dee"].map((person) => `${person}@example.org`);
const [groups, documents] = [
  ["staff", "crew"],
  ["plan", "memo", "list"],
];
const datasource = toDatasourceName("wiki");
const writes = 150;
const pageSize = 2;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly position: string;
  readonly next?: string;
}

/** What somebody was told: who sees a document, or what a person sees, as of a position. */
interface Told {
  readonly asked: string;
  readonly position: bigint;
  readonly items: readonly string[];
}

describe("the permission history as a read model with versions", function () {
  this.timeout(3 * 60_000);
  let service: ServiceUnderTest;
  let operator: Operator;
  let auditor: ApiClient;
  let byHttp: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    operator = await Operator.of({ DATA_DIR: service.dataDir });
    auditor = await service.person("eve@example.org", "auditor");
    byHttp = await service.person("olga@example.org", "operator");
    await write("/api/indexing/datasources", { name: datasource });
    for (const email of people) await write("/api/indexing/users", { datasource, user: { email } });
    for (const group of groups) await write("/api/indexing/groups", { datasource, group: { name: group } });
    for (const id of documents) await index(id, { allowed_groups: ["staff"] });
  });

  after(async () => {
    await operator.leave();
    await service.stop();
  });

  const write = async (path: string, body: object): Promise<string> => {
    const { status, headers } = await service.indexing.post(path, body);
    expect(status, path).to.equal(200);
    return headers.get("x-consistency-token") ?? "";
  };
  const index = (id: string, permissions: object): Promise<string> =>
    write("/api/indexing/documents", {
      documents: {
        datasource,
        id,
        title: id,
        file_type: "page",
        body: { mime_type: "text/plain", text_content: id },
        permissions,
      },
    });
  /** null: it is so already. */
  const changeMembership = async (member: string, group: string, joins: boolean): Promise<string | null> => {
    const { indexing } = service;
    const answer = await (joins
      ? indexing.post("/api/indexing/memberships", {
          datasource,
          membership: { group_name: group, member_email: member },
        })
      : indexing.request("DELETE", `/api/indexing/memberships/${datasource}/${group}/user/${member}`, undefined));
    expect(answer.status).to.be.oneOf(joins ? [200, 409] : [200, 404]);
    return answer.headers.get("x-consistency-token");
  };

  /** As whoever asks once: nothing is sent again. */
  const askOnce = async <Item>(path: string): Promise<{ readonly status: number; readonly body: Page<Item> }> => {
    const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${auditor.credential}` } });
    return { status: answer.status, body: (await answer.json()) as Page<Item> };
  };

  const askAll = async <Item>(path: string, textOf: (item: Item) => string): Promise<Told> => {
    const items: Item[] = [];
    for (let next = ""; ;) {
      const { status, body } = await askOnce<Item>(`${path}&count=${pageSize}${next}`);
      expect(status, `${path}${next}: ${JSON.stringify(body)}`).to.equal(200);
      items.push(...body.items);
      if (body.next === undefined) return { asked: path, position: BigInt(body.position), items: items.map(textOf) };
      next = `&next=${body.next}`;
    }
  };
  const who = (id: string, at: string): Promise<Told> =>
    askAll<WhoItem>(`/api/audit/who?document=${datasource}/${id}&at=${at}`, (item) => item.user_email);
  const what = (email: string, at: string): Promise<Told> =>
    askAll<WhatItem>(`/api/audit/what?user=${email}&at=${at}`, (item) => item.document);

  const log = async (): Promise<readonly RecordedEvent[]> => {
    const stopping = new AbortController();
    const events: RecordedEvent[] = [];
    const request = {
      after: toPosition(0),
      categories: ["datasource", "groupGraph", "user", "document"] as const,
      maxBatchSize: 1_000,
      signal: stopping.signal,
    };
    for await (const batch of operator.log.subscribe(request)) {
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    stopping.abort();
    return events;
  };
  /** As the log says it, read from its beginning for each answer. */
  const expected = ({ asked, position }: Told, events: readonly RecordedEvent[]): readonly string[] => {
    const naive = new NaiveReplay(events, toPosition(position));
    const query = new URLSearchParams(asked.slice(asked.indexOf("?")));
    const [, document] = (query.get("document") ?? "").split("/");
    const sees = (email: string, id: string): boolean =>
      naive.maySee({ email: toEmail(email), datasource, documentId: toDocumentId(id) });
    if (document !== undefined) return people.filter((email) => sees(email, document));
    return documents.filter((id) => sees(query.get("user") ?? "", id)).map((id) => `${datasource}/${id}`);
  };
  const expectRight = async (...told: readonly Told[]): Promise<void> => {
    const events = await log();
    for (const each of told)
      expect(each.items, `${each.asked} (${each.position})`).to.have.members(expected(each, events));
  };

  const statusOf = async (): Promise<ProjectionStatus> => {
    const { projections } = (await byHttp.get<ProjectionsAnswer>("/api/admin/projections")).body;
    return projections.find((projection) => projection.name === name) as ProjectionStatus;
  };
  const change = (file: string, sql: string): void => {
    const database = new Database(join(service.dataDir, file));
    database.exec(sql);
    database.close();
  };
  const hasFile = (file: string): boolean => existsSync(join(service.dataDir, file));
  const fileOf = (version: number): string => (version === 1 ? `${name}.sqlite` : `${name}-${version}.sqlite`);

  it("answers every question, page by page, through rebuilds, a way back and a drop", async () => {
    const seed = Date.now() & 0x7fffffff;
    const random = seededRandom(seed);
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const anyAccess = (): object =>
      random() < 0.3
        ? { allow_anonymous_access: true }
        : { allowed_users: [{ email: pick(people) }], allowed_groups: [pick(groups)] };
    const tokens = [await index("plan", { allow_anonymous_access: true })];
    const told: Told[] = [];
    const over = new AbortController();
    const writing = (async () => {
      for (let step = 0; step < writes; step++) {
        const token =
          random() < 0.4
            ? await index(pick(documents), anyAccess())
            : await changeMembership(pick(people), pick(groups), random() < 0.6);
        if (token !== null) tokens.push(token);
      }
    })();
    const asking = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const at = random() < 0.5 ? (tokens.at(-1) as string) : pick(tokens);
        told.push(random() < 0.5 ? await who(pick(documents), at) : await what(pick(people), at));
      }
    };
    const rebuilding = (async () => {
      await operator.rebuild(name);
      await operator.rollBack(name);
      await operator.rebuild(name, { verify: false });
      await operator.drop(name, 1);
      await operator.rebuild(name, { keep: 0 });
      await writing;
    })().finally(() => over.abort());
    await Promise.all([writing, rebuilding, asking(), asking()]);
    expect(told.length, `seed ${seed}`).to.be.greaterThan(20);
    await expectRight(...told);
    expect(operator.stateOf(name)).to.deep.include({ live: 4, kept: [], underWay: null });
    while ([1, 2, 3].some((version) => hasFile(fileOf(version))))
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await statusOf()).to.deep.include({
      kind: "read_model",
      state: "running",
      version: 4,
      parked: 0,
      last_error: null,
      kept: [],
      under_way: null,
    });
    expect((await statusOf()).size?.amount).to.be.greaterThan(10_000);
  });

  it("waits for what it is asked for while it is paused, says in time that it cannot tell, and goes on", async () => {
    await operator.pause(name);
    const before = await askOnce<WhoItem>(
      `/api/audit/who?document=wiki/plan&at=${(await log()).length > 0 ? "2001-01-01" : ""}`,
    );
    expect(before.status).to.equal(200);
    const token = await index("plan", { allowed_users: [{ email: people[0] }] });
    expect((await statusOf()).state).to.equal("paused");
    const { status } = await askOnce(`/api/audit/who?document=wiki/plan&at=${token}`);
    expect(status).to.equal(503);
    await operator.resume(name);
    await expectRight(await who("plan", token));
  });

  it("is not replaced by what differs from it, unless somebody accepts that", async () => {
    const token = await index("draft", { allowed_users: [{ email: people[1] }] });
    await who("draft", token);
    const live = operator.stateOf(name).live;
    change(fileOf(live), "DELETE FROM grants WHERE opened = (SELECT max(opened) FROM grants)");
    expect((await who("draft", token)).items).to.deep.equal([]);
    const refused = await operator.rebuild(name).catch((error: Error) => error.message);
    expect(refused).to.contain('"kind":"documents"');
    // The service follows by itself what the operator's process knows already, a moment later.
    while ((await statusOf()).under_way?.phase !== "waiting_for_accept")
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await statusOf()).under_way?.version).to.equal(live + 1);
    expect((await byHttp.post(`/api/admin/projections/${name}/accept`)).status).to.equal(200);
    await operator.until(name, (state) => state.live === live + 1);
    while ((await who("draft", token)).items.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await expectRight(await who("draft", token));
  });

  it("is held against the log, and mended where it differs, and there alone", async () => {
    const token = await index("note", { allowed_users: [{ email: people[2] }] });
    await who("note", token);
    change(fileOf(operator.stateOf(name).live), "DELETE FROM grants WHERE opened = (SELECT max(opened) FROM grants)");
    const verify = async (repair: boolean): Promise<VerificationAnswer> =>
      (await byHttp.post<VerificationAnswer>(`/api/admin/projections/${name}/verify`, { repair })).body;
    const { drift, remaining } = await verify(true);
    expect(drift.map(({ kind, subject, differences }) => [kind, subject, differences[0]?.aspect])).to.deep.equal([
      ["document", "wiki/note", `grant to ${people[2]}`],
    ]);
    expect(remaining).to.deep.equal([]);
    expect((await verify(false)).drift).to.deep.equal([]);
    await expectRight(await who("note", token));
  });

  it("tells nothing of a datasource while an event of it is parked, and everything once that is retried", async () => {
    const token = await index("plan", { allowed_users: [{ email: people[3] }] });
    await who("plan", token);
    // An event that a newer version of the program has written.
    change(
      "log.sqlite",
      `INSERT INTO events (position, stream, revision, category, version, id, type, metadata, data)
      SELECT (SELECT max(position) + 1 FROM events), stream, revision + 1, category, 99, 'from-tomorrow', type, metadata, data FROM events
      WHERE position = (SELECT max(position) FROM events WHERE type = 'DocumentIndexed')`,
    );
    const parked = async (): Promise<ParkedAnswer> =>
      (await byHttp.get<ParkedAnswer>(`/api/admin/projections/${name}/parked`)).body;
    while ((await parked()).parked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await parked()).parked[0]).to.deep.include({ event: "DocumentIndexed", may_be_discarded: false });
    expect((await askOnce(`/api/audit/who?document=wiki/plan`)).status).to.equal(503);
    await expectRight(await who("plan", token));
    change("log.sqlite", "UPDATE events SET version = 1 WHERE id = 'from-tomorrow'");
    expect(
      (await byHttp.post<ParkedAnswer>(`/api/admin/projections/${name}/parked/retry`, {})).body.parked,
    ).to.deep.equal([]);
    const { status, body } = await askOnce<WhoItem>("/api/audit/who?document=wiki/plan");
    expect([status, body.items.map((item) => item.user_email)]).to.deep.equal([200, [people[3]]]);
  });
});
