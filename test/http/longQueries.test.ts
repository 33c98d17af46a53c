import { expect } from "chai";
import { describeWithTestPackages } from "../support/testPackages.js";
import { mcpClients } from "../mcp/mcpClients.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const paragraph =
  "Wer im laufenden Kalenderjahr aus dem Unternehmen ausscheidet oder erst im zweiten Halbjahr eintritt, erhält den Jahresurlaub anteilig, und zwar für jeden vollen Beschäftigungsmonat ein Zwölftel; Bruchteile von Urlaubstagen, die mindestens einen halben Tag ergeben, werden aufgerundet, alle anderen Bruchteile werden nicht berücksichtigt, sofern nicht Tarifvertrag, Betriebsvereinbarung oder Einzelabsprache etwas Günstigeres bestimmen, worüber die Personalabteilung auf Anfrage Auskunft erteilt. Resturlaub verfällt grundsätzlich Ende März des Folgejahres, außer dringende betriebliche Gründe oder Krankheit haben ihn verhindert; dann verlängert sich die Frist bis Dezember, spätestens jedoch fünfzehn Monate nach Entstehung des Anspruchs, wie Gerichte mehrfach entschieden haben. Teilzeitkräfte, Auszubildende, Werkstudenten, Praktikanten, Schwerbehinderte sowie Beschäftigte im Schichtdienst erhalten Zusatztage gemäß Anlage; Sonderurlaub bei Hochzeit, Geburt, Umzug, Todesfall, Ehrenamt, Prüfung wird getrennt beantragt, genehmigt, dokumentiert.";

const frames = Array.from(
  { length: 40 },
  (_, n) => `    at com.example.gateway.filter.Stage${n}Handler.doFilter(Stage${n}Handler.java:${100 + n * 7})`,
).join("\n");
const trace = `java.lang.IllegalStateException: Connection pool PaymentLedgerPool exhausted\n${frames}`;

/** Sixty words that say nothing of leave. */
const smallTalk = Array.from(
  { length: 6 },
  () => "guten Morgen, wir hatten gestern schon einmal kurz darüber gesprochen",
).join(", ");

interface Found {
  readonly results: readonly { readonly id: string }[];
  readonly words_left_out?: number;
}

describe("long queries", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
    const user = { datasource: "wiki", user: { email: "ada@example.org" } };
    await service.indexing.post("/api/indexing/users", user);
    const texts: readonly (readonly [id: string, title: string, text: string])[] = [
      ["leave", "Urlaub", "Jeder hat dreißig Tage Urlaub im Jahr, anteilig nach Beschäftigungsmonaten."],
      ["rules", "Urlaubsordnung", paragraph],
      ["pool", "Known problems", "PaymentLedgerPool exhausted: raise its size, and look for leaks in Stage12Handler."],
      ...Array.from(
        { length: 8 },
        (_, n) => [`other-${n}`, `Protokoll ${n}`, "Wir haben darüber gesprochen."] as const,
      ),
    ];
    const documents = texts.map(([id, title, text]) => ({
      ...{ datasource: "wiki", id, title, file_type: "page" },
      body: { mime_type: "text/plain", text_content: text },
    }));
    await service.indexing.post("/api/indexing/documents", { documents });
    ada = await service.person("ada@example.org");
  });
  after(() => service?.stop());

  const search = async (query: string): Promise<Found> => {
    const { status, body } = await ada.get<Found>(`/api/beta/search?query=${encodeURIComponent(query)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it("are found by the words that tell most, and the answer says how many were left out", async () => {
    const copied = await search(paragraph);
    expect(copied.results[0]?.id).to.equal("wiki__rules");
    expect(copied.words_left_out).to.be.greaterThan(0);
    const traced = await search(trace);
    expect(traced.results[0]?.id).to.equal("wiki__pool");
    expect(traced.words_left_out).to.be.greaterThan(0);
    expect((await search("Urlaub")).words_left_out).to.equal(undefined);
  });

  it("of other programs are found so, too, and a header says how many words were left out", async () => {
    const answer = await fetch(`${service.url}/api/beta/external_search/documents`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ada.credential}` },
      body: JSON.stringify({ query: trace }),
    });
    const [first] = (await answer.json()) as { title: string }[];
    expect(first?.title).to.equal("Known problems");
    expect(Number(answer.headers.get("x-query-truncated"))).to.be.greaterThan(0);
  });

  it("with quotes are found by their words, and never refused", async () => {
    const quoting = `Exception in thread "main" of "Stage12Handler": PaymentLedgerPool "is exhausted"\n${frames}`;
    expect((await search(quoting)).results[0]?.id).to.equal("wiki__pool");
    const phrases = Array.from({ length: 17 }, (_, n) => `"no phrase ${n}"`).join(" ");
    expect((await search(`PaymentLedgerPool Stage12Handler exhausted ${phrases}`)).results[0]?.id).to.equal(
      "wiki__pool",
    );
  });

  describeWithTestPackages("over the Model Context Protocol", () => {
    it("are found so, too", async () => {
      const connect = mcpClients["client 2.x, of 2026-07-28"] ?? expect.fail("There is no such client.");
      const client = await connect({ url: service.url, headers: { Authorization: `Bearer ${ada.credential}` } });
      for (const [query, id] of [
        [paragraph, "wiki__rules"],
        [trace, "wiki__pool"],
      ] as const) {
        const { structuredContent, isError } = await client.call("search", { query });
        expect(isError ?? false).to.equal(false);
        expect((structuredContent as Found).results[0]?.id).to.equal(id);
        expect((structuredContent as Found).words_left_out).to.be.greaterThan(0);
      }
      await client.close();
    });
  });

  it("of a chat are searched by what is asked, wherever that stands", async () => {
    const question = "Wie viele Tage Urlaub gibt es?";
    for (const content of [`${smallTalk}. ${question}`, `${question} ${smallTalk}.`]) {
      const tools = [{ type: "function", function: { name: "internalSearch" } }];
      const { body } = await ada.post<{ readonly sources: readonly { readonly id: string }[] }>(
        "/api/beta/amberai/chat/completions",
        { model: "amber-extractive", messages: [{ role: "user", content }], tools },
      );
      expect(
        body.sources.map(({ id }) => id),
        JSON.stringify(body),
      ).to.include("wiki__leave");
    }
  });
});
