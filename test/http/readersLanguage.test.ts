import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const keys = "/api/admin/api-keys";

describe("the reader's language, over HTTP", () => {
  let service: ServiceUnderTest;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, text: string) => ({
      ...{ datasource: "wiki", id, title: "Gateway Nordstern", file_type: "page" },
      body: { mime_type: "text/plain", text_content: text },
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("documents", {
      documents: [
        document("german", "Das Gateway ist für alle da und wird von der Leitung am Abend gestartet."),
        document("english", "The gateway is there for everybody and will be started in the evening."),
      ],
    });
  });
  after(() => service.stop());

  const keyIn = async (language?: string): Promise<ApiClient> => {
    const { body } = await service.operator.post<{ key: string; language: string | null }>(keys, {
      ...{ email: "ada@example.org", language },
    });
    expect(body.language).to.equal(language ?? null);
    return service.indexing.as(body.key);
  };
  const first = async (client: ApiClient, parameters = ""): Promise<string> => {
    const path = `/api/beta/search?query=Nordstern${parameters}`;
    const { body } = await client.get<{ results: readonly { id: string }[] }>(path);
    expect(body.results).to.have.length(2);
    return body.results[0]?.id ?? "";
  };

  it("is that of the key where the search names none", async () => {
    const [german, english, plain] = [await keyIn("de"), await keyIn("en"), await keyIn()];
    expect([await first(german), await first(english)]).to.deep.equal(["wiki__german", "wiki__english"]);
    expect(await first(english, "&language=de")).to.equal("wiki__german");
    expect(await first(plain, "&language=de")).to.equal("wiki__german");
    expect(await first(plain, "&language=en")).to.equal("wiki__english");
  });

  it("is one of those that are analysed", async () => {
    const plain = await keyIn();
    expect((await plain.get("/api/beta/search?query=a&language=fr")).status).to.equal(422);
    expect((await service.operator.post(keys, { email: "ada@example.org", language: "fr" })).status).to.equal(422);
  });

  it("stands in the list of keys", async () => {
    await keyIn("en");
    const { body } = await service.operator.get<{ api_keys: readonly { language: string | null }[] }>(keys);
    expect(body.api_keys.map(({ language }) => language)).to.include.members(["en", null]);
  });
});
