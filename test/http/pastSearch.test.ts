import { expect } from "chai";
import type { ApiAnswer, ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Found {
  readonly results: readonly { readonly id: string; readonly snippet: string }[];
  readonly total: number;
  readonly as_of?: string | null;
  readonly as_user?: string;
  readonly note?: string;
}

describe("a search as of a moment, over HTTP", () => {
  let service: ServiceUnderTest;
  let auditor: ApiClient;
  let ada: ApiClient;
  let granted: string;
  let withdrawn: string;

  const ask = (client: ApiClient, parameters: Record<string, string>): Promise<ApiAnswer<Found>> =>
    client.get<Found>(`/api/beta/search?${new URLSearchParams({ query: "leave", ...parameters })}`);
  const idsOf = ({ body }: ApiAnswer<Found>): readonly string[] => body.results.map(({ id }) => id).sort();

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<string> => {
      const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
      expect(status).to.equal(200);
      return headers.get("x-consistency-token") ?? "";
    };
    const document = (id: string, text: string, permissions: object) => ({
      datasource: "wiki",
      id,
      title: id,
      file_type: "page",
      body: { mime_type: "text/plain", text_content: text },
      permissions,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    for (const email of ["ada@example.org", "grace@example.org"])
      await write("users", { datasource: "wiki", user: { email } });
    await write("groups", { datasource: "wiki", group: { name: "hr" } });
    await write("memberships", {
      datasource: "wiki",
      membership: { group_name: "hr", member_email: "ada@example.org" },
    });
    await write("documents", { documents: document("closed", "days of leave", { allowed_groups: ["hr"] }) });
    granted = await write("documents", {
      documents: document("open", "leave it open", { allow_anonymous_access: true }),
    });
    await service.indexing.request("DELETE", "/api/indexing/memberships/wiki/hr/user/ada@example.org", undefined);
    withdrawn = await write("documents", {
      documents: document("open", "leave, as it is written today", { allowed_users: [{ email: "grace@example.org" }] }),
    });
    auditor = await service.person("grace@example.org", "auditor");
    ada = await service.person("ada@example.org");
  });
  after(() => service.stop());

  it("finds what the person could see then, by today's texts, and says so", async () => {
    expect(idsOf(await ask(ada, {}))).to.deep.equal([]);
    const then = await ask(auditor, { as_of: granted, as_user: "ada@example.org" });
    expect(idsOf(then)).to.deep.equal(["wiki__closed", "wiki__open"]);
    expect(then.body.results.find(({ id }) => id === "wiki__open")?.snippet).to.contain("as it is written today");
    expect(then.body).to.deep.include({ total: 2, total_relation: "eq", as_user: "ada@example.org" });
    expect(then.body.as_of).to.match(/^\d{4}-/);
    expect(then.body.note)
      .to.contain("What ada@example.org could see as of")
      .and.to.contain("today's titles and texts");
    expect(idsOf(await ask(auditor, { as_of: withdrawn, as_user: "ada@example.org" }))).to.deep.equal([]);
  });

  it("is about the key's person where nobody else is named, and about now where no moment is", async () => {
    expect(idsOf(await ask(auditor, { as_of: granted }))).to.deep.equal(["wiki__open"]);
    expect(idsOf(await ask(auditor, { as_user: "grace@example.org" }))).to.deep.equal(idsOf(await ask(auditor, {})));
    expect((await ask(auditor, { as_of: granted, as_user: "nobody@example.org" })).body).to.deep.include({
      results: [],
      total: 0,
    });
    expect((await ask(auditor, { as_of: "2001-01-01", as_user: "ada@example.org" })).body).to.deep.include({
      results: [],
      total: 0,
      as_of: "2001-01-01T00:00:00.000Z",
    });
  });

  it("narrows and pages as a search does", async () => {
    const asked = { as_of: granted, as_user: "ada@example.org" };
    expect((await ask(auditor, { ...asked, count: "1", start_page: "1" })).body).to.deep.include({
      total: 2,
      count: 1,
      start_page: 1,
    });
    expect((await ask(auditor, { ...asked, file_type: "pdf" })).body.total).to.equal(0);
    expect((await ask(auditor, { ...asked, data_source: "wiki" })).body.total).to.equal(2);
    expect((await ask(auditor, { ...asked, data_source: "No where" })).status).to.equal(422);
  });

  it("misses what was deleted since, and shows no document in another's place", async () => {
    const write = async (path: string, body?: object): Promise<string> => {
      const { status, headers } = await service.indexing.request(
        body === undefined ? "DELETE" : "POST",
        `/api/indexing/${path}`,
        body,
      );
      expect(status).to.equal(200);
      return headers.get("x-consistency-token") ?? "";
    };
    const files = async (ids: readonly string[]): Promise<string> => {
      await write("datasources", { name: "files" });
      await write("users", { datasource: "files", user: { email: "ada@example.org" } });
      const document = (id: string) => ({
        datasource: "files",
        id,
        title: id,
        file_type: "page",
        body: { mime_type: "text/plain", text_content: `leave of ${id}` },
      });
      return write("documents", { documents: ids.map(document) });
    };
    const found = async (at: string) => {
      const { body } = await ask(auditor, { as_of: at, as_user: "ada@example.org", data_source: "files" });
      return [idsOf({ body } as ApiAnswer<Found>), body.total];
    };
    const first = await files(["kept", "gone"]);
    const deleted = await write("documents/files/gone");
    expect(await found(first)).to.deep.equal([["files__kept"], 1]);
    const closed = await write("datasources/files");
    const again = await files(["kept"]);
    // The same name and the same id, of another registration: what she could see then was another document.
    expect([await found(first), await found(deleted), await found(closed), await found(again)]).to.deep.equal([
      [[], 0],
      [[], 0],
      [[], 0],
      [["files__kept"], 1],
    ]);
  });

  it("says which parameter named a moment that is to come", async () => {
    const { body } = await auditor.request("GET", "/api/beta/search?query=leave&as_of=2999-01-01", undefined);
    expect((body as { detail: { loc: string[] }[] }).detail[0]?.loc).to.deep.equal(["query", "as_of"]);
  });

  it("is 403 for a key without the role, whatever it asks, and 422 where the moment or the person is none", async () => {
    const parameters: readonly Record<string, string>[] = [
      { as_of: granted },
      { as_user: "ada@example.org" },
      { as_of: "" },
      { as_of: "2999-01-01", as_user: "" },
    ];
    for (const each of parameters) expect((await ask(ada, each)).status, JSON.stringify(each)).to.equal(403);
    expect((await ask(service.indexing, { as_of: granted })).status).to.equal(401);
    const wrong: readonly Record<string, string>[] = [
      { as_of: "yesterday" },
      { as_of: "" },
      { as_of: "2999-01-01" },
      { as_user: "" },
    ];
    for (const each of wrong) expect((await ask(auditor, each)).status, JSON.stringify(each)).to.equal(422);
  });
});
