import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Groups {
  readonly groups: readonly { readonly name: string }[];
  readonly next: string | null;
}

describe("what administrators do with datasources", () => {
  let service: ServiceUnderTest;
  let administrator: ApiClient;
  const datasource = "wiki";
  const document = (id: string, title: string, more: object = {}) => ({
    ...{ datasource, id, title, file_type: "page", body: { mime_type: "text/plain", text_content: "Text." }, ...more },
  });

  before(async () => {
    service = await startServiceUnderTest();
    administrator = await service.signedIn("root@example.org", "administrator", "operator");
    await administrator.post("/api/admin/datasources", { name: datasource, subs: [{ name: "HR" }] });
    for (const name of ["ada", "bob", "bea"])
      await administrator.post("/api/admin/users", { datasource, user: { email: `${name}@example.org`, name } });
    for (const name of ["staff", "crew", "company"])
      await administrator.post("/api/admin/groups", { datasource, group: { name } });
    for (const membership of [
      { group_name: "crew", member_email: "ada@example.org" },
      { group_name: "staff", member_group_name: "crew" },
      { group_name: "company", member_group_name: "crew" },
      { group_name: "company", member_group_name: "staff" },
    ])
      await administrator.post("/api/admin/memberships", { datasource, membership });
    await service.indexing.post("/api/indexing/documents", {
      documents: [document("plan-a", "The Plan"), document("plan-b", "Another"), document("notes", "Notes")],
    });
  });
  after(() => service?.stop());

  const got = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await administrator.get<Body>(`/api/admin/${path}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const statusOf = async (path: string): Promise<number> => (await administrator.get(`/api/admin/${path}`)).status;

  it("is what connectors do, and is told to them as well", async () => {
    const { body } = await service.indexing.get<{ name: string; subs: { key: string }[] }>(
      "/api/indexing/datasources/wiki",
    );
    expect([body.name, body.subs.map(({ key }) => key)]).to.deep.equal(["wiki", ["hr"]]);
    expect(await got<{ name: string }[]>("datasources")).to.have.length(1);
    const { status } = await administrator.put("/api/admin/datasources/wiki", { display_name: "The wiki" });
    expect([status, (await got<{ display_name: string }>("datasources/wiki")).display_name]).to.deep.equal([
      200,
      "The wiki",
    ]);
  });

  it("takes neither service accounts nor keys without the role, and pushes no documents", async () => {
    expect((await service.indexing.get("/api/admin/datasources")).status).to.equal(401);
    const nobody = await service.person("eve@example.org");
    expect((await nobody.get("/api/admin/datasources")).status).to.equal(403);
    expect((await nobody.delete("/api/admin/datasources/wiki")).status).to.equal(403);
    const pushed = await administrator.post("/api/admin/documents", { documents: document("x", "X") });
    expect(pushed.status).to.equal(404);
  });

  it("shows the nesting of groups upwards, in pages, and the groups of a person", async () => {
    const whole = await got<Groups>("groups/wiki/crew/parents");
    expect(whole.groups.map(({ name }) => name)).to.have.members(["staff", "company"]);
    const first = await got<Groups>("groups/wiki/crew/parents?count=1");
    const second = await got<Groups>(`groups/wiki/crew/parents?count=1&next=${first.next}`);
    expect([...first.groups, ...second.groups]).to.deep.equal(whole.groups);
    expect(second.next).to.equal(null);
    expect((await got<Groups>("groups/wiki/company/parents")).groups).to.deep.equal([]);
    expect((await got<Groups>("users/wiki/Ada%40Example.org/groups")).groups).to.deep.equal([{ name: "crew" }]);
    expect(await statusOf("users/wiki/nobody%40example.org/groups")).to.equal(404);
    expect(await statusOf("groups/wiki/nothing/parents")).to.equal(404);
  });

  it("finds what begins so in long lists, page by page", async () => {
    const users = await got<{ users: { email: string }[]; next: string | null }>("users/wiki?prefix=B&count=1");
    expect(users).to.deep.equal({ users: [{ email: "bea@example.org", name: "bea" }], next: "bea@example.org" });
    const more = await got<{ users: { email: string }[]; next: string | null }>(
      `users/wiki?prefix=B&count=1&next=${users.next}`,
    );
    expect([more.users.map(({ email }) => email), more.next]).to.deep.equal([["bob@example.org"], null]);
    expect((await got<Groups>("groups/wiki?prefix=c")).groups).to.deep.equal([{ name: "company" }, { name: "crew" }]);
    const { documents } = await got<{ documents: { id: string; title: string }[] }>("documents/wiki?prefix=plan");
    expect(documents.map(({ id, title }) => [id, title])).to.deep.equal([
      ["plan-a", "The Plan"],
      ["plan-b", "Another"],
    ]);
    expect(await statusOf(`documents/wiki?prefix=${"a".repeat(300)}`)).to.equal(422);
  });

  it("counts what is there", async () => {
    expect(await got("datasource-counts")).to.deep.equal({
      counts: [{ datasource: "wiki", users: 3, groups: 3, documents: 3 }],
    });
  });

  it("tells how far a document has come, by which event, and what it grants", async () => {
    interface State {
      readonly state: string;
      readonly title: string;
      readonly received: { readonly position: string };
      readonly first_received: { readonly position: string };
      readonly permissions: object;
      readonly read: object;
    }
    const path = "documents/wiki/notes";
    for (;;) if ((await got<State>(path)).state === "searchable") break;
    await administrator.post("/api/admin/projections/search/pause");
    await service.indexing.post("/api/indexing/documents", {
      documents: document("notes", "Newer notes", {
        last_modified: "2024-05-01T09:30:00Z",
        permissions: { allowed_groups: ["staff"] },
      }),
    });
    const queued = await got<State>(path);
    expect(queued.state).to.equal("queued");
    expect(Number(queued.received.position)).to.be.greaterThan(Number(queued.first_received.position));
    expect(queued).to.deep.include({
      title: "Newer notes",
      read: { mime_type: "text/plain", size: 5, text_bytes: 5, is_file: false },
      permissions: { allow_anonymous_access: false, allowed_users: [], allowed_groups: ["staff"], is_default: false },
    });
    expect(JSON.stringify(queued)).not.to.contain("Text.");
    await administrator.post("/api/admin/projections/search/resume");
    for (;;) if ((await got<State>(path)).state === "searchable") break;
    expect(await statusOf("documents/wiki/nothing")).to.equal(404);
    expect((await administrator.delete("/api/admin/documents/wiki/notes")).status).to.equal(200);
    expect(await statusOf(path)).to.equal(404);
  });
});
