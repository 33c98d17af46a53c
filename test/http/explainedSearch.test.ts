import { expect } from "chai";
import type { ExplanationAnswer } from "../../src/api/searchAnswer.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Found {
  readonly results: readonly {
    readonly id: string;
    readonly score: number;
    readonly explanation?: ExplanationAnswer;
  }[];
}

describe("the explanations of a search, over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, title: string, text: string) => ({
      ...{ datasource: "wiki", id, title, file_type: "page" },
      body: { mime_type: "text/plain", text_content: text },
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("documents", {
      documents: [
        document("rent", "Umzug", "Die Mietkaution wird hinterlegt."),
        document("deposit", "Kaution", "Die Kaution beträgt drei Mieten."),
      ],
    });
    ada = await service.person("ada@example.org");
  });
  after(() => service.stop());

  const ask = async (client: ApiClient, parameters: string): Promise<Found["results"]> => {
    const { status, body } = await client.get<Found>(`/api/beta/search?${parameters}`);
    expect(status).to.equal(200);
    return body.results;
  };

  it("tell what adds up to the score of each result", async () => {
    const results = await ask(ada, "query=Kaution%20&explain=true");
    expect(results.map(({ id }) => id)).to.deep.equal(["wiki__deposit", "wiki__rent"]);
    for (const { score, explanation } of results) {
      const { language_factor: factor = 0, words = [], bonuses = [] } = explanation ?? {};
      const sum = [...words, ...bonuses].reduce((all, part) => all + part.score, 0);
      expect(explanation?.score).to.equal(score);
      expect(factor * sum).to.be.closeTo(score, 1e-5);
    }
    const [deposit, rent] = results.map(({ explanation }) => explanation);
    expect(deposit?.bonuses.map(({ bonus }) => bonus)).to.include("title_is");
    expect(deposit?.words[0]?.matches[0]).to.deep.include({
      ...{ reading: "as_typed", written: ["Kaution"], occurrences: 3, weight: 1 },
      fields: [
        { field: "title", weight: 2 },
        { field: "text", weight: 1 },
      ],
    });
    expect(rent?.words[0]?.matches[0]).to.deep.include({ reading: "compound", written: ["Mietkaution"], weight: 0.5 });
    expect(rent).to.have.all.keys(["score", "scored", "language_factor", "words", "bonuses"]);
  });

  it("are left out unless they are asked for", async () => {
    for (const parameters of ["query=Kaution", "query=Kaution&explain=false"])
      for (const result of await ask(ada, parameters)) expect(result).not.to.have.property("explanation");
    const { status, body } = await ada.get<{ detail: readonly { loc: readonly string[] }[] }>(
      "/api/beta/search?query=Kaution&explain=perhaps",
    );
    expect(status).to.equal(422);
    expect(body.detail[0]?.loc).to.deep.equal(["query", "explain"]);
  });

  it("are told to auditors, as of a moment and as somebody else", async () => {
    const auditor = await service.person("audit@example.org", "auditor");
    const told = await ask(auditor, "query=Kaution%20&explain=true&as_user=ada@example.org");
    expect(told).to.deep.equal(await ask(ada, "query=Kaution%20&explain=true"));
  });
});
