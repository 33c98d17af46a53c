import { expect } from "chai";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import type { ApiClient } from "../support/apiClient.js";

interface Answer {
  readonly status?: string;
  readonly joined?: number;
  readonly left?: number;
  readonly detail?: unknown;
}

describe("replacing the users in a group", () => {
  let service: ServiceUnderTest;
  let auditor: ApiClient;
  const people = ["ada", "ben", "cleo", "dan"];
  const email = (person: string): string => `${person}@example.org`;
  before(async () => {
    service = await startServiceUnderTest();
    auditor = await service.person("audit@example.org", "auditor");
    const { indexing } = service;
    await indexing.post("/api/indexing/datasources", { name: "wiki" });
    for (const person of people)
      await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: email(person) } });
    for (const name of ["staff", "board", "crew"])
      await indexing.post("/api/indexing/groups", { datasource: "wiki", group: { name } });
    await indexing.post("/api/indexing/documents", {
      documents: {
        ...{ datasource: "wiki", id: "plan", title: "plan", file_type: "page" },
        ...{ body: { mime_type: "text/plain", text_content: "plan" }, permissions: { allowed_groups: ["staff"] } },
      },
    });
  });
  after(() => service?.stop());

  const put = (members: unknown, group = "staff", client = service.indexing) =>
    client.put<Answer>(`/api/indexing/groups/wiki/${group}/members`, { members });
  const named = (...some: readonly string[]) => some.map((person) => ({ member_email: email(person) }));
  const membersOf = async (group = "staff"): Promise<readonly object[]> =>
    (await service.indexing.get<{ members: object[] }>(`/api/indexing/groups/wiki/${group}/members`)).body.members;
  const membership = (person: string) => ({
    datasource: "wiki",
    membership: { group_name: "staff", member_email: email(person) },
  });
  /** Where the newest event about the group stands. */
  const lastChange = async (): Promise<string | undefined> => {
    const { body } = await auditor.get<{ items: { position: string }[] }>(
      "/api/audit/history?group=wiki%2Fstaff&count=1000",
    );
    return body.items.at(-1)?.position;
  };

  it("makes these people the members and nobody else, beside those that were added one by one", async () => {
    await service.indexing.post("/api/indexing/memberships", membership("ada"));
    const replaced = await put(named("ben", "cleo"));
    expect(replaced.body).to.deep.equal({
      ...{ status: "ok", datasource: "wiki", group: { name: "staff" } },
      ...{ joined: 2, left: 1 },
    });
    expect(replaced.headers.get("x-consistency-token")).to.be.a("string");
    expect(await membersOf()).to.have.deep.members(named("ben", "cleo"));
  });

  it("counts a name once however it is spelt, and writes nothing where nothing changes", async () => {
    await put(named("ada", "ben"));
    const last = await lastChange();
    const again = await put([
      { member_email: " ADA@example.org" },
      { member_email: "ada@example.org" },
      ...named("ben"),
    ]);
    expect(again.body).to.include({ joined: 0, left: 0 });
    expect(await lastChange()).to.equal(last);
  });

  it("is told from other memberships by nothing: they are removed, added again and end with the user", async () => {
    const { indexing } = service;
    await put(named("ada", "dan"));
    expect((await indexing.post("/api/indexing/memberships", membership("ada"))).status).to.equal(409);
    const ada = "/api/indexing/memberships/wiki/staff/user/ada%40example.org";
    expect((await indexing.delete(ada)).status).to.equal(200);
    expect((await indexing.delete(ada)).status).to.equal(404);
    expect((await indexing.post("/api/indexing/memberships", membership("ada"))).status).to.equal(200);
    await indexing.delete("/api/indexing/users/wiki/dan%40example.org");
    await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: email("dan") } });
    expect(await membersOf()).to.deep.equal(named("ada"));
  });

  it("leaves groups in the group alone, and takes everybody out by an empty list", async () => {
    const nested = { datasource: "wiki", membership: { group_name: "staff", member_group_name: "crew" } };
    await service.indexing.post("/api/indexing/memberships", nested);
    await put(named("ada"));
    expect((await put([])).body).to.include({ joined: 0, left: 1 });
    expect(await membersOf()).to.deep.equal([{ member_group_name: "crew" }]);
    await service.indexing.delete("/api/indexing/memberships/wiki/staff/group/crew");
  });

  it("refuses the whole for one unknown user, and what is malformed", async () => {
    await put(named("ada"));
    const refused = await put([...named("ben"), { member_email: "zoe@example.org" }]);
    expect(refused.status).to.equal(404);
    expect(refused.body.detail).to.equal('There is no user "zoe@example.org" in the datasource "wiki".');
    expect(await membersOf()).to.deep.equal(named("ada"));
    const statuses = [
      await put(named("ada"), "nobody"),
      await service.indexing.put<Answer>("/api/indexing/groups/none/staff/members", { members: [] }),
      await put([{ member_email: "  " }]),
      await put([{ member_group_name: "crew" }]),
      await put(Array.from({ length: 10_001 }, (_, index) => ({ member_email: `p${index}@example.org` }))),
    ].map(({ status }) => status);
    expect(statuses).to.deep.equal([404, 404, 422, 422, 422]);
    const limited = await service.serviceAccount({ datasources: ["files"] });
    expect((await put([], "staff", limited)).status).to.equal(403);
  });

  it("is one moment: whoever races sees all of it or nothing", async () => {
    await put(named("ada", "ben"));
    const seen = new Set<string>();
    const over = new AbortController();
    const looking = (async () => {
      while (!over.signal.aborted) seen.add(JSON.stringify(await membersOf()));
    })();
    for (let turn = 0; turn < 20; turn++) await put(turn % 2 === 0 ? named("cleo", "dan") : named("ada", "ben"));
    over.abort();
    await looking;
    expect(seen.size).to.be.greaterThan(0);
    for (const list of [named("ada", "ben"), named("cleo", "dan")]) seen.delete(JSON.stringify(list));
    expect([...seen]).to.deep.equal([]);
  });

  it("comes to what one of the lists says, however many race", async () => {
    const lists = [["ada", "ben"], ["cleo"], [], ["ada", "dan"], people];
    const answers = await Promise.all([...lists, ...lists].map((list) => put(named(...list))));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    const members = (await membersOf()).map((member) => JSON.stringify(member)).toSorted();
    const possible = lists.map((list) => named(...list).map((member) => JSON.stringify(member)));
    expect(possible).to.deep.include(members);
  });

  it("is the cause that auditors are told, with everybody whom it concerned", async () => {
    await put([]);
    await put(named("ada", "ben"));
    const { body: access } = await auditor.get<{ explanation: { event: string; fact: string; stream: string }[] }>(
      "/api/audit/access?user=ada%40example.org&document=wiki%2Fplan",
    );
    const cause = access.explanation.find(({ fact }) => fact === "staff contains ada@example.org");
    expect([cause?.event, cause?.stream.startsWith("groupMembers-")]).to.deep.equal(["GroupMembersReplaced", true]);
    await put(named("ben"));
    const { body: now } = await auditor.get<{ missing: { kind: string; ended: { event: string } } }>(
      "/api/audit/access?user=ada%40example.org&document=wiki%2Fplan",
    );
    expect([now.missing.kind, now.missing.ended.event]).to.deep.equal(["not_a_member", "GroupMembersReplaced"]);
    const { body: history } = await auditor.get<{ items: { fact: string; event: string }[] }>(
      "/api/audit/history?group=wiki%2Fstaff&count=1000",
    );
    expect(history.items.slice(-1).map(({ fact, event }) => [fact, event])).to.deep.equal([
      ["ada@example.org left the group staff", "GroupMembersReplaced"],
    ]);
  });
});
