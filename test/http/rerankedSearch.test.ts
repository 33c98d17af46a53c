import { expect } from "chai";
import type { ExplanationAnswer } from "../../src/api/searchAnswer.js";
import type { ApiClient } from "../support/apiClient.js";
import { startScriptedJson, type ScriptedJson } from "../support/models/scriptedJson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Asked {
  readonly query: string;
  readonly documents: readonly string[];
}

interface Found {
  readonly results: readonly { readonly title: string; readonly explanation?: ExplanationAnswer }[];
  readonly total: number;
}

/** Whatever the index thinks: by their titles, the last of the alphabet first. */
const backwards = ({ documents }: Asked) => ({
  results: documents.map((text, index) => ({ index, relevance_score: text.charCodeAt(0) })),
});

describe("a search whose first hits a model orders, over HTTP", () => {
  let upstream: ScriptedJson<Asked>;
  let service: ServiceUnderTest;
  let ada: ApiClient;
  let auditor: ApiClient;

  before(async () => {
    upstream = await startScriptedJson<Asked>(backwards);
    service = await startServiceUnderTest({ RERANK_URL: upstream.url, RERANK_TIMEOUT_MS: "60000" });
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, more: object = {}) => ({
      ...{ datasource: "wiki", id, title: id, file_type: "page" },
      body: { mime_type: "text/plain", text_content: `days of leave ${id}` },
      ...more,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("documents", {
      documents: [document("a"), document("b"), document("c"), document("z", { permissions: {} })],
    });
    ada = await service.person("ada@example.org");
    auditor = await service.person("audit@example.org", "auditor");
  });
  after(async () => {
    await service.stop();
    await upstream.stop();
  });
  beforeEach(() => {
    upstream.answers(backwards);
    upstream.take();
  });

  const titlesFor = async (client: ApiClient, parameters: string): Promise<readonly string[]> => {
    const { status, body } = await client.get<Found>(`/api/beta/search?${parameters}`);
    expect(status).to.equal(200);
    return body.results.map(({ title }) => title);
  };

  it("follows that order on all of its pages", async () => {
    expect(await titlesFor(ada, "query=leave")).to.deep.equal(["c", "b", "a"]);
    expect(await titlesFor(ada, "query=leave&count=2&start_page=1")).to.deep.equal(["a"]);
  });

  it("is told where results are explained, also on later pages", async () => {
    const placesFor = async (parameters: string) => {
      const { body } = await ada.get<Found>(`/api/beta/search?query=leave&explain=true${parameters}`);
      return body.results.map(({ explanation }) => explanation?.reranked);
    };
    const places = await placesFor("");
    expect(places.map((place) => place?.after)).to.deep.equal([1, 2, 3]);
    expect(places.map((place) => place?.before)).to.have.members([1, 2, 3]);
    expect(await placesFor("&count=2&start_page=1")).to.deep.equal(places.slice(2));
  });

  it("sends nothing of what the person cannot see", async () => {
    await titlesFor(ada, "query=days");
    const asked = upstream.take();
    expect(asked.map(({ body }) => [body.query, [...body.documents].sort()])).to.deep.equal([
      ["days", ["a\ndays of leave a", "b\ndays of leave b", "c\ndays of leave c"]],
    ]);
  });

  it("is asked of the index alone where an auditor asks what could be seen", async () => {
    await titlesFor(auditor, "query=leave&as_user=ada@example.org");
    expect(upstream.take()).to.deep.equal([]);
  });

  it("is not asked where results are put in order by time", async () => {
    await titlesFor(ada, "query=leave&sort=last_modified");
    expect(upstream.take()).to.deep.equal([]);
  });

  it("answers in the index's order where the model fails, and metrics count it", async () => {
    upstream.answers(() => 503);
    expect([...(await titlesFor(ada, "query=leave+days"))].sort()).to.deep.equal(["a", "b", "c"]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.match(/enterprise_search_model_calls_total\{purpose="rerank",outcome="refused"\} 1/);
  });
});
