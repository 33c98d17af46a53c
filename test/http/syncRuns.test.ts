import { expect } from "chai";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Run {
  readonly id: string;
  readonly state: string;
  readonly seen: number;
  readonly documents: number | null;
  readonly would_delete: number | null;
  readonly missing: readonly string[];
  readonly deleted: number;
  readonly detail: string;
}

describe("sync runs over HTTP", () => {
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest();
    await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
    await service.indexing.post("/api/indexing/datasources", { name: "files" });
  });
  after(() => service?.stop());

  const document = (id: string, more: object = {}) => ({
    ...{ datasource: "wiki", id, title: id, file_type: "page", last_modified: "2024-05-01T09:30:00Z" },
    ...{ body: { mime_type: "text/plain", text_content: id }, ...more },
  });
  const push = (documents: unknown, sync?: string) =>
    service.indexing.post<{ results: { outcome: string }[]; detail: unknown }>(
      `/api/indexing/documents${sync === undefined ? "" : `?sync=${sync}`}`,
      { documents },
    );
  const post = (path: string, body: object = {}) => service.indexing.post<Run>(`/api/indexing/syncs${path}`, body);
  const start = async (more: object = {}) => (await post("", { datasource: "wiki", ...more })).body.id;
  const look = async (id: string) => (await service.indexing.get<Run>(`/api/indexing/syncs/${id}`)).body;
  const idsThere = async () =>
    (await service.indexing.get<{ documents: { id: string }[] }>("/api/indexing/documents/wiki")).body.documents.map(
      ({ id }) => id,
    );

  it("delete what was neither pushed, nor tried, nor told as seen", async () => {
    await push(["a", "b", "c", "d", "e", "f"].map((id) => document(id)));
    const id = await start({ max_deleted_share: 0.2 });
    const { body } = await push(
      [
        document("a"),
        document("b", { last_modified: "2025-01-01" }),
        document("c", { body: { mime_type: "text/plain", text_content: "\0" } }),
      ],
      id,
    );
    expect(body.results.map(({ outcome }) => outcome)).to.deep.equal(["already_indexed", "sent", "failed"]);
    expect((await push(document("d", { data_source_sub: "none" }), id)).status).to.equal(422);
    expect((await look(id)).would_delete).to.equal(2);
    const refused = await post(`/${id}/commit`);
    expect([refused.status, refused.body.would_delete, refused.body.documents]).to.deep.equal([409, 2, 6]);
    expect(refused.body.detail).to.contain("confirm=true");
    expect((await post(`/${id}/seen`, { document_ids: ["e"] })).status).to.equal(200);
    expect(await look(id)).to.include({ state: "open", seen: 5, documents: 6, would_delete: 1 });
    expect((await look(id)).missing).to.deep.equal(["f"]);
    expect((await post(`/${id}/commit`)).body).to.include({ state: "committed", deleted: 1 });
    expect(await idsThere()).to.deep.equal(["a", "b", "c", "d", "e"]);
    expect((await post(`/${id}/commit`)).body).to.include({ state: "committed", deleted: 0 });
    expect((await push(document("a"), id)).status).to.equal(409);
  });

  it("delete nothing where they are aborted, and all where that is confirmed", async () => {
    const there = await idsThere();
    const aborted = await start();
    expect((await post(`/${aborted}/abort`)).status).to.equal(200);
    expect((await post(`/${aborted}/commit?confirm=true`)).status).to.equal(409);
    expect(await look(aborted)).to.include({ state: "aborted", would_delete: null });
    expect(await idsThere()).to.deep.equal(there);
    const id = await start();
    expect((await post(`/${id}/commit?confirm=true`)).body.deleted).to.equal(there.length);
    expect(await idsThere()).to.deep.equal([]);
  });

  it("refuse what belongs to no run, or to another datasource's, before anything of it is indexed", async () => {
    const id = await start();
    expect((await push([document("x")], "unknown")).status).to.equal(404);
    expect((await push([document("x"), document("y", { datasource: "files" })], id)).status).to.equal(409);
    expect(await idsThere()).to.not.include("x");
    expect((await post("", { datasource: "nowhere" })).status).to.equal(404);
    const wide = await post("", { datasource: "wiki", max_deleted_share: 2 });
    expect(wide.status).to.equal(422);
    expect(JSON.stringify(wide.body.detail)).to.contain("Input should be less than or equal to 1");
    expect((await service.indexing.get("/api/indexing/syncs/unknown")).status).to.equal(404);
  });
});
