import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Suggested {
  readonly suggestions: readonly { readonly text: string; readonly kind: string; readonly id: string | null }[];
}

describe("suggestions, over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;

  const write = async (path: string, body: object): Promise<string> => {
    const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
    expect(status).to.equal(200);
    return headers.get("x-consistency-token") ?? "";
  };
  const document = (id: string, title: string, more: object = {}) => ({
    datasource: "wiki",
    id,
    title,
    file_type: "page",
    body: { mime_type: "text/plain", text_content: "Die Reisekostenabrechnung ist ein Formular." },
    ...more,
  });

  before(async () => {
    service = await startServiceUnderTest();
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("documents", {
      documents: [
        document("a", "Reisekosten im Inland"),
        document("b", "Reisen der Geschäftsleitung", { permissions: {} }),
      ],
    });
    ada = await service.person("ada@example.org");
  });
  after(() => service.stop());

  const suggest = (client: ApiClient, parameters: string) => client.get<Suggested>(`/api/beta/suggest${parameters}`);

  it("completes from what the person may see, and from nothing else", async () => {
    const { status, body } = await suggest(ada, "?query=reis");
    expect(status).to.equal(200);
    expect(body.suggestions).to.deep.equal([
      { text: "Reisekosten im Inland", kind: "title", id: "wiki__a" },
      { text: "Reisekosten", kind: "word", id: null },
      { text: "Reisekostenabrechnung", kind: "word", id: null },
    ]);
    const stranger = await service.person("stranger@example.org");
    expect((await suggest(stranger, "?query=reis")).body).to.deep.equal({ suggestions: [] });
  });

  it("takes a number, and an empty query", async () => {
    expect((await suggest(ada, "?query=reis&count=1")).body.suggestions).to.have.length(1);
    expect((await suggest(ada, "?query=")).body).to.deep.equal({ suggestions: [] });
    expect((await suggest(ada, "?query=%20")).body).to.deep.equal({ suggestions: [] });
  });

  for (const [fault, parameters] of [
    ["no query", ""],
    ["an endless query", `?query=${"a".repeat(16_385)}`],
    ["too many", "?query=a&count=21"],
    ["none", "?query=a&count=0"],
    ["no number", "?query=a&count=many"],
  ] as const) {
    it(`refuses ${fault}`, async () => {
      expect((await suggest(ada, parameters)).status).to.equal(422);
    });
  }

  it("sees what a consistency token stands for", async () => {
    const token = await write("documents", { documents: [document("c", "Reisepass")] });
    const { body } = await ada.get<Suggested>("/api/beta/suggest?query=reisep", {
      headers: { "x-consistency-token": token },
    });
    expect(body.suggestions[0]?.id).to.equal("wiki__c");
  });

  it("is for people: a service account gets a 401", async () => {
    expect((await service.indexing.get("/api/beta/suggest?query=a")).status).to.equal(401);
  });
});
