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
  readonly corrected?: readonly { readonly from: string; readonly to: string }[];
  readonly facets?: Readonly<Record<string, unknown>>;
}

interface Suggested {
  readonly suggestions: readonly { readonly text: string; readonly kind: string; readonly id: string | null }[];
}

/** What a feature finds and orders is the engines' contract; here is what a search over HTTP asks for and answers. */
describe("a search over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;
  let grace: ApiClient;
  let stranger: ApiClient;
  let auditor: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    ada = await service.person("ada@example.org");
    grace = await service.person("grace@example.org");
    stranger = await service.person("stranger@example.org");
    auditor = await service.person("audit@example.org", "auditor");
  });
  after(() => service.stop());

  const write = async (path: string, body: object): Promise<string> => {
    const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
    expect(status).to.equal(200);
    return headers.get("x-consistency-token") ?? "";
  };
  /** Documents of a datasource of their own, where Ada and Grace are registered. */
  const push = async (datasource: string, documents: readonly object[]): Promise<void> => {
    await write("datasources", { name: datasource, display_name: datasource });
    for (const email of ["ada@example.org", "grace@example.org"]) await write("users", { datasource, user: { email } });
    await write("documents", { documents: documents.map((document) => ({ datasource, ...document })) });
  };
  const documentOf = (id: string, text: string, more: object = {}) => ({
    ...{ id, title: id, file_type: "page" },
    body: { mime_type: "text/plain", text_content: text },
    ...more,
  });
  const search = async (client: ApiClient, parameters: string): Promise<Found> => {
    const { status, body } = await client.get<Found>(`/api/beta/search?${parameters}`);
    expect(status).to.equal(200);
    return body;
  };
  const idsOf = ({ results }: Found): readonly string[] => results.map(({ id }) => id);

  describe("with corrections", () => {
    before(() =>
      push("corrected", [
        documentOf("light", "lighthouse"),
        documentOf(
          "extinguisher",
          "Ein Feuerlöscher hängt an der Wand, und ein FEUERLÖSCHER. Der Feuerlöscher ist rot.",
        ),
        documentOf("keeper", "zephyrium", { permissions: { allowed_users: [{ email: "grace@example.org" }] } }),
      ]),
    );
    const ask = async (client: ApiClient, query: string): Promise<readonly [readonly string[], Found["corrected"]]> => {
      const found = await search(client, `query=${encodeURIComponent(query)}`);
      return [idsOf(found), found.corrected];
    };

    it("tells which word was taken for which", async () => {
      expect(await ask(ada, "Lighthuose")).to.deep.equal([
        ["corrected__light"],
        [{ from: "Lighthuose", to: "lighthouse" }],
      ]);
      const [, corrected] = await ask(ada, "feuerlösher lighthuose retry_lighthuose");
      expect(corrected).to.deep.equal([
        { from: "feuerlösher", to: "Feuerlöscher" },
        { from: "lighthuose", to: "lighthouse" },
      ]);
    });

    it("leaves them out where a word is held, quoted, or like no other", async () => {
      expect(await ask(ada, "lighthouse")).to.deep.equal([["corrected__light"], undefined]);
      expect(await ask(ada, "löscher")).to.deep.equal([["corrected__extinguisher"], undefined]);
      expect(await ask(ada, '"lighthuose"')).to.deep.equal([[], undefined]);
      expect(await ask(ada, "qqqqqqqq")).to.deep.equal([[], undefined]);
    });

    it("never proposes a word that only other people's documents hold", async () => {
      expect(await ask(ada, "zephyrum")).to.deep.equal([[], undefined]);
      const correction = [{ from: "zephyrum", to: "zephyrium" }];
      expect(await ask(grace, "zephyrum")).to.deep.equal([["corrected__keeper"], correction]);
      expect((await search(auditor, "query=zephyrum&as_user=grace@example.org")).corrected).to.deep.equal(correction);
      expect(await search(auditor, "query=zephyrum&as_user=ada@example.org")).not.to.have.property("corrected");
    });
  });

  describe("in an order", () => {
    before(() =>
      push("sorted", [
        documentOf("new", "a word of leave", { last_modified: "2025-05-01T00:00:00Z" }),
        documentOf("undated", "leave"),
        documentOf("old", "leave leave leave", { last_modified: "2001-01-01T00:00:00Z" }),
      ]),
    );
    const order = async (client: ApiClient, parameters: string) =>
      idsOf(await search(client, `query=leave${parameters}`));

    it("is that of relevance, or newest first", async () => {
      expect((await order(ada, "&sort=relevance"))[0]).to.equal("sorted__old");
      expect(await order(ada, "")).to.deep.equal(await order(ada, "&sort=relevance"));
      const newestFirst = ["sorted__new", "sorted__old", "sorted__undated"];
      expect(await order(ada, "&sort=last_modified")).to.deep.equal(newestFirst);
      expect(await order(ada, "&sort=last_modified&count=1&start_page=1")).to.deep.equal(["sorted__old"]);
      expect(await order(auditor, "&sort=last_modified&as_user=ada@example.org")).to.deep.equal(newestFirst);
    });

    it("is refused where there is none of that name", async () => {
      for (const sort of ["newest", "last_modified,relevance"])
        expect((await ada.get(`/api/beta/search?query=leave&sort=${sort}`)).status, sort).to.equal(422);
    });
  });

  describe("with counts", () => {
    before(() =>
      push("counted", [
        documentOf("new", "days of holiday", { author: "Grace", last_modified: new Date().toISOString() }),
        documentOf("old", "days of holiday", {
          ...{ author: "Grace", last_modified: "2001-01-01T00:00:00Z", file_type: "issue" },
        }),
        documentOf("hidden", "days of holiday", { author: "Mallory", permissions: {} }),
      ]),
    );
    const facets = async (client: ApiClient, parameters: string): Promise<Found["facets"]> =>
      (await search(client, `query=holiday${parameters}`)).facets;

    it("tells what was asked for, of what the person may see, also to an auditor", async () => {
      expect(await facets(ada, "&facets=file_type,datasource,author,last_modified&file_type=issue")).to.deep.equal({
        relation: "eq",
        file_type: [
          { value: "issue", count: 1 },
          { value: "page", count: 1 },
        ],
        datasource: [{ value: "counted", count: 1 }],
        author: [{ value: "Grace", count: 1 }],
        last_modified: ["threeday", "week", "month", "threemonth", "year", "fiveyear"].map((value) => ({
          value,
          count: 0,
        })),
      });
      const ofAda = { relation: "eq", author: [{ value: "Grace", count: 2 }] };
      expect(await facets(auditor, "&facets=author&as_user=ada@example.org")).to.deep.equal(ofAda);
    });

    it("tells nothing where it was not asked, and no name to a stranger", async () => {
      expect(await search(ada, "query=holiday")).not.to.have.property("facets");
      const none = { relation: "eq", datasource: [], author: [] };
      expect(await facets(stranger, "&facets=datasource,author")).to.deep.equal(none);
    });

    it("refuses a name that it does not know", async () => {
      const { status, body } = await ada.get("/api/beta/search?query=holiday&facets=author,size");
      expect(status).to.equal(422);
      expect(JSON.stringify(body)).to.include("'author' or 'last_modified'");
    });
  });

  describe("with explanations", () => {
    before(() =>
      push("explained", [
        documentOf("rent", "Die Mietkaution wird hinterlegt.", { title: "Umzug" }),
        documentOf("deposit", "Die Kaution beträgt drei Mieten.", { title: "Kaution" }),
      ]),
    );

    it("tells what adds up to the score of each result, also to an auditor", async () => {
      const found = await search(ada, "query=Kaution%20&explain=true");
      expect(idsOf(found)).to.deep.equal(["explained__deposit", "explained__rent"]);
      for (const { score, explanation } of found.results) {
        const { language_factor: factor = 0, words = [], bonuses = [] } = explanation ?? {};
        const sum = [...words, ...bonuses].reduce((all, part) => all + part.score, 0);
        expect(explanation?.score).to.equal(score);
        expect(factor * sum).to.be.closeTo(score, 1e-5);
      }
      const [deposit, rent] = found.results.map(({ explanation }) => explanation);
      expect(deposit?.bonuses.map(({ bonus }) => bonus)).to.include("title_is");
      expect(deposit?.words[0]?.matches[0]).to.deep.include({
        ...{ reading: "as_typed", written: ["Kaution"], occurrences: 3, weight: 1 },
        fields: [
          { field: "title", weight: 2 },
          { field: "text", weight: 1 },
        ],
      });
      expect(rent?.words[0]?.matches[0]).to.deep.include({
        ...{ reading: "compound", written: ["Mietkaution"], weight: 0.5 },
      });
      expect(rent).to.have.all.keys(["score", "scored", "language_factor", "words", "bonuses"]);
      const told = await search(auditor, "query=Kaution%20&explain=true&as_user=ada@example.org");
      expect(told.results).to.deep.equal(found.results);
    });

    it("leaves them out unless they are asked for", async () => {
      for (const parameters of ["query=Kaution", "query=Kaution&explain=false"])
        for (const result of (await search(ada, parameters)).results)
          expect(result).not.to.have.property("explanation");
      const { status, body } = await ada.get<{ detail: readonly { loc: readonly string[] }[] }>(
        "/api/beta/search?query=Kaution&explain=perhaps",
      );
      expect(status).to.equal(422);
      expect(body.detail[0]?.loc).to.deep.equal(["query", "explain"]);
    });
  });

  describe("in the reader's language", () => {
    const keys = "/api/admin/api-keys";
    before(() =>
      push("languages", [
        documentOf("german", "Das Gateway ist für alle da und wird von der Leitung am Abend gestartet.", {
          title: "Gateway Nordstern",
        }),
        documentOf("english", "The gateway is there for everybody and will be started in the evening.", {
          title: "Gateway Nordstern",
        }),
      ]),
    );
    const keyIn = async (language?: string): Promise<ApiClient> => {
      const { body } = await service.operator.post<{ key: string; language: string | null }>(keys, {
        ...{ email: "ada@example.org", language },
      });
      expect(body.language).to.equal(language ?? null);
      return service.indexing.as(body.key);
    };
    const first = async (client: ApiClient, parameters = ""): Promise<string> => {
      const ids = idsOf(await search(client, `query=Nordstern${parameters}`));
      expect(ids).to.have.length(2);
      return ids[0] ?? "";
    };

    it("takes that of the key where the search names none, and lists it", async () => {
      const [german, english, plain] = [await keyIn("de"), await keyIn("en"), await keyIn()];
      expect([await first(german), await first(english)]).to.deep.equal(["languages__german", "languages__english"]);
      expect(await first(english, "&language=de")).to.equal("languages__german");
      expect(await first(plain, "&language=de")).to.equal("languages__german");
      expect(await first(plain, "&language=en")).to.equal("languages__english");
      const { body } = await service.operator.get<{ api_keys: readonly { language: string | null }[] }>(keys);
      expect(body.api_keys.map(({ language }) => language)).to.include.members(["en", null]);
    });

    it("refuses one that is not analysed", async () => {
      expect((await ada.get("/api/beta/search?query=a&language=fr")).status).to.equal(422);
      expect((await service.operator.post(keys, { email: "ada@example.org", language: "fr" })).status).to.equal(422);
    });
  });

  describe("while it is typed", () => {
    const ofForms = "Die Reisekostenabrechnung ist ein Formular.";
    before(() =>
      push("suggested", [
        documentOf("a", ofForms, { title: "Reisekosten im Inland" }),
        documentOf("b", ofForms, { title: "Reisen der Geschäftsleitung", permissions: {} }),
      ]),
    );
    const suggest = (client: ApiClient, parameters: string) => client.get<Suggested>(`/api/beta/suggest${parameters}`);

    it("is completed from what the person may see, and from nothing else", async () => {
      const { status, body } = await suggest(ada, "?query=reis");
      expect(status).to.equal(200);
      expect(body.suggestions).to.deep.equal([
        { text: "Reisekosten im Inland", kind: "title", id: "suggested__a" },
        { text: "Reisekosten", kind: "word", id: null },
        { text: "Reisekostenabrechnung", kind: "word", id: null },
      ]);
      expect((await suggest(stranger, "?query=reis")).body).to.deep.equal({ suggestions: [] });
    });

    it("takes a number, and an empty query", async () => {
      expect((await suggest(ada, "?query=reis&count=1")).body.suggestions).to.have.length(1);
      expect((await suggest(ada, "?query=")).body).to.deep.equal({ suggestions: [] });
      expect((await suggest(ada, "?query=%20")).body).to.deep.equal({ suggestions: [] });
    });

    it("is refused without a query, an endless one, and a count that is none", async () => {
      for (const parameters of ["", `?query=${"a".repeat(16_385)}`, "?query=a&count=21", "?query=a&count=0"])
        expect((await suggest(ada, parameters)).status, parameters.slice(0, 20)).to.equal(422);
      expect((await suggest(ada, "?query=a&count=many")).status).to.equal(422);
    });

    it("sees what a consistency token stands for", async () => {
      const documents = [{ datasource: "suggested", ...documentOf("c", ofForms, { title: "Reisepass" }) }];
      const headers = { "x-consistency-token": await write("documents", { documents }) };
      const { body } = await ada.get<Suggested>("/api/beta/suggest?query=reisep", { headers });
      expect(body.suggestions[0]?.id).to.equal("suggested__c");
    });

    it("is for people: a service account gets a 401", async () => {
      expect((await service.indexing.get("/api/beta/suggest?query=a")).status).to.equal(401);
    });
  });
});
