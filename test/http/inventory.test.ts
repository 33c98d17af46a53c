import { expect } from "chai";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Page {
  readonly users?: readonly { readonly email: string; readonly name: string | null }[];
  readonly groups?: readonly { readonly name: string }[];
  readonly members?: readonly object[];
  readonly documents?: readonly { readonly id: string; readonly last_modified: string | null }[];
  readonly next: string | null;
}

describe("lists of what a datasource holds", () => {
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest();
    const { indexing } = service;
    const datasource = "wiki";
    await indexing.post("/api/indexing/datasources", { name: datasource });
    for (const name of ["bob", "ada", "cleo"])
      await indexing.post("/api/indexing/users", { datasource, user: { email: `${name}@example.org`, name } });
    for (const name of ["staff", "board", "crew"])
      await indexing.post("/api/indexing/groups", { datasource, group: { name } });
    for (const member of [
      { member_email: "bob@example.org" },
      { member_email: "ada@example.org" },
      { member_group_name: "crew" },
    ])
      await indexing.post("/api/indexing/memberships", { datasource, membership: { group_name: "staff", ...member } });
    const document = (id: string, more: object) => ({
      ...{ datasource, id, title: id, file_type: "page", body: { mime_type: "text/plain", text_content: id }, ...more },
    });
    await indexing.post("/api/indexing/documents", {
      documents: [document("b", { last_modified: "2024-05-01T09:30:00+02:00" }), document("a", {}), document("c", {})],
    });
  });
  after(() => service?.stop());

  const list = async (path: string): Promise<Page> => {
    const { status, body } = await service.indexing.get<Page>(`/api/indexing/${path}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  /** All pages of one item each, as they come. */
  const pages = async (path: string): Promise<readonly Page[]> => {
    const found: Page[] = [];
    for (let next: string | null = ""; next !== null; next = found.at(-1)?.next ?? null)
      found.push(await list(`${path}?count=1${next === "" ? "" : `&next=${encodeURIComponent(next)}`}`));
    return found;
  };

  it("tell of users by email, with the names that they have now", async () => {
    await service.indexing.put("/api/indexing/users/wiki/bob%40example.org", { name: "Robert" });
    expect((await list("users/wiki")).users).to.deep.equal([
      { email: "ada@example.org", name: "ada" },
      { email: "bob@example.org", name: "Robert" },
      { email: "cleo@example.org", name: "cleo" },
    ]);
  });

  it("tell of groups by name, and of the direct members of one", async () => {
    expect(await list("groups/wiki")).to.deep.equal({
      groups: [{ name: "board" }, { name: "crew" }, { name: "staff" }],
      next: null,
    });
    expect((await list("groups/wiki/staff/members")).members).to.have.deep.members([
      { member_group_name: "crew" },
      { member_email: "ada@example.org" },
      { member_email: "bob@example.org" },
    ]);
  });

  it("tell of documents by id, with the date in UTC", async () => {
    const { documents } = await list("documents/wiki");
    expect(documents?.map(({ id, last_modified: modified }) => [id, modified])).to.deep.equal([
      ["a", null],
      ["b", "2024-05-01T07:30:00.000Z"],
      ["c", null],
    ]);
  });

  it("come in pages that hold everything once", async () => {
    for (const [path, length] of [
      ["users/wiki", 3],
      ["groups/wiki", 3],
      ["groups/wiki/staff/members", 3],
      ["documents/wiki", 3],
    ] as const) {
      const found = await pages(path);
      const whole = await list(path);
      const items = (page: Page) =>
        Object.entries(page).flatMap(([key, value]) => (key === "next" ? [] : value)) as object[];
      expect(found.flatMap(items)).to.deep.equal(items(whole));
      expect(found).to.have.length(length);
    }
  });

  it("reflect what was answered before, deletions included", async () => {
    const { indexing } = service;
    await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: "dan@example.org" } });
    await indexing.post("/api/indexing/memberships", {
      datasource: "wiki",
      membership: { group_name: "board", member_email: "dan@example.org" },
    });
    expect((await list("groups/wiki/board/members")).members).to.deep.equal([{ member_email: "dan@example.org" }]);
    await indexing.delete("/api/indexing/users/wiki/dan%40example.org");
    expect((await list("groups/wiki/board/members")).members).to.deep.equal([]);
    expect((await list("users/wiki")).users).to.have.length(3);
    await indexing.post("/api/indexing/groups", { datasource: "wiki", group: { name: "gone" } });
    await indexing.delete("/api/indexing/groups/wiki/gone");
    expect((await list("groups/wiki")).groups?.map(({ name }) => name)).to.not.include("gone");
  });

  it("are 404 of what is not there, and 422 for a page that cannot be", async () => {
    const status = async (path: string): Promise<number> =>
      (await service.indexing.get(`/api/indexing/${path}`)).status;
    expect(await status("users/nowhere")).to.equal(404);
    expect(await status("groups/wiki/nobody/members")).to.equal(404);
    expect(await status("documents/wiki?count=0")).to.equal(422);
  });
});
