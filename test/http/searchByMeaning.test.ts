import { expect } from "chai";
import { meantBy } from "../support/models/synonyms.js";
import { startScriptedJson, type JsonReply, type ScriptedJson } from "../support/models/scriptedJson.js";
import type { ExplanationAnswer } from "../../src/api/searchAnswer.js";
import type { ApiClient } from "../support/apiClient.js";
import { newNamespace } from "../support/newNamespace.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { TypesenseDouble } from "../support/typesense/typesenseDouble.js";

interface Asked {
  readonly input: readonly string[];
}

interface Found {
  readonly results: readonly {
    readonly title: string;
    readonly snippet: string;
    readonly explanation?: ExplanationAnswer;
  }[];
  readonly total: number;
}

const means = ({ input }: Asked): JsonReply => ({
  data: input.map((text, index) => ({ index, embedding: meantBy(text) })),
});

describe("a search by meaning, over HTTP", () => searchesByMeaning(async () => ({ settings: {} })));

describe("a search by meaning in Typesense, over HTTP", () =>
  searchesByMeaning(async () => {
    const double = await TypesenseDouble.start();
    const engine = { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey, NAMESPACE: newNamespace() };
    return { settings: engine, stop: () => double.stop() };
  }));

interface Engine {
  readonly settings: NodeJS.ProcessEnv;
  readonly stop?: () => Promise<void>;
}

function searchesByMeaning(open: () => Promise<Engine>): void {
  let engine: Engine;
  let upstream: ScriptedJson<Asked>;
  let service: ServiceUnderTest;
  let ada: ApiClient;
  let auditor: ApiClient;

  before(async () => {
    upstream = await startScriptedJson<Asked>(means);
    engine = await open();
    const prefixes = { EMBEDDINGS_QUERY_PREFIX: "query:", EMBEDDINGS_PASSAGE_PREFIX: "passage: " };
    const settings = { EMBEDDINGS_URL: upstream.url, EMBEDDINGS_TIMEOUT_MS: "60000", ...prefixes };
    service = await startServiceUnderTest({ ...engine.settings, ...settings });
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, text: string, more: object = {}) => ({
      ...{ datasource: "wiki", id, title: id, file_type: "page" },
      body: { mime_type: "text/plain", text_content: text },
      ...more,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("documents", {
      documents: [
        document("fleet", "Each automobile is washed."),
        document("hidden", "automobile", { permissions: {} }),
        document("menu", "Soup on Monday."),
      ],
    });
    ada = await service.person("ada@example.org");
    auditor = await service.person("audit@example.org", "auditor");
  });
  after(async () => {
    await service.stop();
    await upstream.stop();
    await engine.stop?.();
  });
  beforeEach(() => upstream.answers(means));

  const search = async (client: ApiClient, parameters: string): Promise<Found> => {
    const { status, body } = await client.get<Found>(`/api/beta/search?${parameters}`);
    expect(status).to.equal(200);
    return body;
  };
  const titles = ({ results }: Found): readonly string[] => results.map(({ title }) => title);

  it("finds what means the same, once its vectors are made, and nothing that the person may not see", async () => {
    let found = await search(ada, "query=car");
    while (found.total === 0) found = await search(ada, "query=car");
    expect([titles(found), found.total]).to.deep.equal([["fleet"], 1]);
    expect(found.results[0]?.snippet).to.equal("Each automobile is washed.");
  });

  it("tells the places by words and by meaning, where results are explained", async () => {
    const { results } = await search(ada, "query=car&explain=true");
    expect(results[0]?.explanation).to.deep.include({
      ...{ score: 0, scored: "meaning", words: [], bonuses: [] },
      fusion: { by_words: null, by_meaning: 1, worth: 1 / 60 },
    });
  });

  it("tells the model what is a query, and what a passage", async () => {
    await search(ada, "query=soup");
    const sent = upstream.take().flatMap(({ body }) => body.input);
    expect(sent).to.include.members(["query: soup", "passage: menu\nSoup on Monday."]);
    expect(sent.filter((text) => !/^(query|passage): \S/.test(text))).to.deep.equal([]);
  });

  it("goes by words alone where an auditor asks what could be seen", async () => {
    expect(titles(await search(auditor, "query=car&as_user=ada@example.org"))).to.deep.equal([]);
    expect(titles(await search(auditor, "query=automobile&as_user=ada@example.org"))).to.deep.equal(["fleet"]);
  });

  it("goes by words alone where the model fails, and metrics count it", async () => {
    upstream.answers(() => 503);
    expect(titles(await search(ada, "query=wagen"))).to.deep.equal([]);
    expect(titles(await search(ada, "query=automobile"))).to.deep.equal(["fleet"]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.match(/^enterprise_search_documents_without_vectors 0$/m);
    expect(metrics).to.match(/enterprise_search_model_calls_total\{purpose="query",outcome="refused"\} 2/);
  });
}
