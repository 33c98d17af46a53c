import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Found {
  readonly results: readonly { readonly id: string }[];
}

describe("the order of a search, over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, text: string, more: object = {}) => ({
      datasource: "wiki",
      id,
      title: id,
      file_type: "page",
      body: { mime_type: "text/plain", text_content: text },
      ...more,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    for (const email of ["ada@example.org", "grace@example.org"])
      await write("users", { datasource: "wiki", user: { email } });
    await write("documents", {
      documents: [
        document("new", "a word of leave", { last_modified: "2025-05-01T00:00:00Z" }),
        document("undated", "leave"),
        document("old", "leave leave leave", { last_modified: "2001-01-01T00:00:00Z" }),
      ],
    });
    ada = await service.person("ada@example.org");
  });
  after(() => service.stop());

  const order = async (client: ApiClient, parameters: string): Promise<readonly string[]> =>
    (await client.get<Found>(`/api/beta/search?query=leave${parameters}`)).body.results.map(({ id }) => id);

  it("is that of relevance, or newest first", async () => {
    expect((await order(ada, "&sort=relevance"))[0]).to.equal("wiki__old");
    expect(await order(ada, "")).to.deep.equal(await order(ada, "&sort=relevance"));
    expect(await order(ada, "&sort=last_modified")).to.deep.equal(["wiki__new", "wiki__old", "wiki__undated"]);
    expect(await order(ada, "&sort=last_modified&count=1&start_page=1")).to.deep.equal(["wiki__old"]);
  });

  it("is the same for an auditor who searches as somebody else", async () => {
    const auditor = await service.person("grace@example.org", "auditor");
    const asAda = "&sort=last_modified&as_user=ada@example.org";
    expect(await order(auditor, asAda)).to.deep.equal(["wiki__new", "wiki__old", "wiki__undated"]);
  });

  it("is refused where there is none of that name", async () => {
    for (const sort of ["newest", "last_modified,relevance"])
      expect((await ada.get(`/api/beta/search?query=leave&sort=${sort}`)).status, sort).to.equal(422);
  });
});
