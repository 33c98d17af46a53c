import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Found {
  readonly results: readonly object[];
  readonly facets?: Readonly<Record<string, unknown>>;
}

describe("the counts of a search, over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;
  let stranger: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, more: object) => ({
      datasource: "wiki",
      id,
      title: id,
      file_type: "page",
      author: "Grace",
      body: { mime_type: "text/plain", text_content: "days of leave" },
      ...more,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    for (const email of ["ada@example.org", "grace@example.org"])
      await write("users", { datasource: "wiki", user: { email } });
    await write("documents", {
      documents: [
        document("new", { last_modified: new Date().toISOString() }),
        document("old", { last_modified: "2001-01-01T00:00:00Z", file_type: "issue" }),
        document("hidden", { author: "Mallory", permissions: {} }),
      ],
    });
    ada = await service.person("ada@example.org");
    stranger = await service.person("stranger@example.org");
  });
  after(() => service.stop());

  const ask = (client: ApiClient, parameters: string) => client.get<Found>(`/api/beta/search?query=leave${parameters}`);

  it("tells what was asked for, of what the person may see", async () => {
    const { status, body } = await ask(ada, "&facets=file_type,datasource,author,last_modified&file_type=issue");
    expect(status).to.equal(200);
    expect(body.results).to.have.length(1);
    expect(body.facets).to.deep.equal({
      relation: "eq",
      file_type: [
        { value: "issue", count: 1 },
        { value: "page", count: 1 },
      ],
      datasource: [{ value: "wiki", count: 1 }],
      author: [{ value: "Grace", count: 1 }],
      last_modified: ["threeday", "week", "month", "threemonth", "year", "fiveyear"].map((value) => ({
        value,
        count: 0,
      })),
    });
  });

  it("tells nothing where it was not asked, and no name to a stranger", async () => {
    expect((await ask(ada, "")).body).not.to.have.property("facets");
    expect((await ask(stranger, "&facets=datasource,author")).body.facets).to.deep.equal({
      relation: "eq",
      datasource: [],
      author: [],
    });
  });

  it("tells an auditor what a person would be told", async () => {
    const auditor = await service.person("grace@example.org", "auditor");
    const { body } = await ask(auditor, "&facets=author&as_user=ada@example.org");
    expect(body.facets).to.deep.equal({ relation: "eq", author: [{ value: "Grace", count: 2 }] });
  });

  it("refuses a name that it does not know", async () => {
    const { status, body } = await ask(ada, "&facets=author,size");
    expect(status).to.equal(422);
    expect(JSON.stringify(body)).to.include("'author' or 'last_modified'");
  });
});
