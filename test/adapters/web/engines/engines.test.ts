import { expect } from "chai";
import { Agent } from "undici";
import { brave } from "../../../../src/adapters/web/engines/brave.js";
import { exa } from "../../../../src/adapters/web/engines/exa.js";
import { linkup } from "../../../../src/adapters/web/engines/linkup.js";
import { searxng } from "../../../../src/adapters/web/engines/searxng.js";
import { tavily } from "../../../../src/adapters/web/engines/tavily.js";
import type { GroundingEngine, WebEngine, WebQuestion } from "../../../../src/webSearch/ports.js";
import { failureOf } from "../../../support/web/failureOf.js";
import {
  startLoopback,
  type LoopbackServer,
  type Reply,
  type SeenRequest,
} from "../../../support/web/loopbackServer.js";

const key = "secret-key-of-the-test";

describe("engines of the web", () => {
  let server: LoopbackServer;
  let reply: (request: SeenRequest) => Reply | null = () => ({ body: {} });
  let seen: SeenRequest[] = [];
  const dispatcher = new Agent();

  before(async () => {
    server = await startLoopback((request) => {
      seen.push(request);
      return reply(request);
    });
  });
  beforeEach(() => (seen = []));
  after(async () => {
    await dispatcher.destroy();
    await server.close();
  });

  const access = () => ({ url: `${server.url}/base/`, key, dispatcher });
  const question = (asked: Partial<WebQuestion> = {}): WebQuestion => ({
    ...{ query: "delay compensation", count: 5, sites: null, fullText: false },
    ...{ signal: AbortSignal.timeout(60_000), ...asked },
  });
  const answers = (body: unknown): void => {
    reply = () => ({ body });
  };
  const asked = (): unknown => seen[0]?.body;
  const parameters = (): object => Object.fromEntries(seen[0]?.query ?? []);
  const hit = (url: string, title: string, content: string, description = content) => ({
    url,
    title,
    description,
    content,
  });

  const engines: readonly (readonly [string, string | null, () => WebEngine | GroundingEngine])[] = [
    ["SearXNG", null, () => searxng(access())],
    ["Brave", "BRAVE_SEARCH_API_KEY", () => brave(access())],
    ["Tavily", "TAVILY_API_KEY", () => tavily(access())],
    ["Exa", "EXA_API_KEY", () => exa(access())],
    ["Linkup", "LINKUP_API_KEY", () => linkup(access())],
  ];
  for (const [name, keySetting, open] of engines)
    describe(name, () => {
      const refusal = (
        status: number,
        headers = {},
      ): Promise<{ message: string; retryAfterSeconds: number | null }> => {
        reply = () => ({ status, headers, body: { error: { message: `What about ${key}?` } } });
        return failureOf(open().search(question()));
      };

      if (keySetting !== null)
        it("says which setting holds the key that is not accepted, and not the key", async () => {
          for (const status of [401, 403]) {
            const { message } = await refusal(status);
            expect(message).to.include(name).and.include(keySetting).and.not.include(key);
          }
        });

      it("says when it may be asked again, where it says so", async () => {
        expect(await refusal(429, { "Retry-After": "7" })).to.deep.include({ retryAfterSeconds: 7 });
        expect(await refusal(503, { "Retry-After": "soon" })).to.deep.include({ retryAfterSeconds: null });
      });

      it("names itself, and not what it says, where it fails", async () => {
        for (const status of [302, 400, 404, 408, 429, 500, 502, 503]) {
          const { message } = await refusal(status);
          expect(message).to.include(name).and.include(String(status)).and.not.include("What about");
        }
      });

      it("is not understood where it answers no JSON object", async () => {
        for (const body of ["<html>", "[]", "null", ""]) {
          reply = () => ({ body });
          expect((await failureOf(open().search(question()))).message).to.include("not understood");
        }
      });

      it("finds nothing in an answer without results", async () => {
        answers({});
        expect(await open().search(question())).to.deep.equal([]);
      });

      it("is left where it keeps silent, and where nobody is there", async () => {
        reply = () => null;
        const leaving = new AbortController();
        const left = failureOf(open().search(question({ signal: leaving.signal })));
        leaving.abort();
        expect((await left).message).to.equal(`${name} did not answer in time.`);
        const nobody = await startLoopback(() => null);
        await nobody.close();
        const away = { ...access(), url: nobody.url };
        const engine = [searxng, brave, tavily, exa, linkup].map((one) => one(away)).find((one) => one.name === name);
        expect((await failureOf((engine as WebEngine).search(question()))).message).to.equal(
          `${name} cannot be reached.`,
        );
      });
    });

  describe("SearXNG", () => {
    const results = [
      { url: "https://a.example/", title: "A", content: "What A &amp; B say.", engine: "bing" },
      { url: "https://b.example/", title: "B", content: "", engine: "bing" },
    ];

    it("is asked for JSON, and for more pages until there is enough", async () => {
      reply = ({ query }) => ({ body: { results: query.get("pageno") === "1" ? results : [] } });
      expect(await searxng(access()).search(question())).to.deep.equal([
        hit("https://a.example/", "A", "What A & B say."),
        hit("https://b.example/", "B", "B"),
      ]);
      expect(
        seen.map(({ path, query }) => [path, query.get("q"), query.get("format"), query.get("pageno")]),
      ).to.deep.equal([
        ["/base/search", "delay compensation", "json", "1"],
        ["/base/search", "delay compensation", "json", "2"],
      ]);
    });

    it("is asked once where the first page is enough", async () => {
      answers({ results });
      await searxng(access()).search(question({ count: 2 }));
      expect(seen).to.have.lengthOf(1);
    });

    it("keeps what it has found where a later page fails", async () => {
      reply = ({ query }) => (query.get("pageno") === "1" ? { body: { results } } : { status: 500 });
      expect(await searxng(access()).search(question())).to.have.lengthOf(2);
    });

    it("answers by itself, and from pages, before it names others", async () => {
      const attributes = [
        { label: "Founded", value: "1835" },
        { label: "Logo", image: {} },
        { label: "", value: " " },
      ];
      const infobox = { infobox: "Rail", id: "https://r.example/", content: "A &amp; B.", attributes, urls: [] };
      answers({
        results,
        answers: ["2 + 2 = 4", { answer: "Four", url: null }, { answer: "An hour", url: "https://t.example/" }, 7, {}],
        infoboxes: [infobox, { infobox: "Nowhere", id: "Q1", content: "x", urls: [{ url: "ftp://x" }] }, "no", {}],
      });
      const own = `${server.url}/base/search?q=delay+compensation`;
      expect(await searxng(access()).search(question({ count: 2 }))).to.deep.equal([
        { ...hit(own, "delay compensation", "2 + 2 = 4\nFour"), page: "none" },
        { ...hit("https://t.example/", "delay compensation", "An hour"), page: "adds" },
        { ...hit("https://r.example/", "Rail", "A & B.\nFounded: 1835"), page: "adds" },
        hit("https://a.example/", "A", "What A & B say."),
        hit("https://b.example/", "B", "B"),
      ]);
      expect(seen).to.have.lengthOf(1);
    });

    it("has something to say where it finds no page, and answers once", async () => {
      const translations = [{ text: "Verspätung" }, { text: "Verzug" }];
      answers({ answers: [{ translations, url: "https://l.example/" }], unresponsive_engines: [["bing", "timeout"]] });
      const [first, ...others] = await searxng(access()).search(question());
      expect(first?.content).to.equal("Verspätung\nVerzug");
      expect(others).to.deep.equal([]);
      const many = Array.from({ length: 1_000 }, (_, at) => ({ answer: "x", url: `https://x.example/${at}` }));
      answers({ answers: many, infoboxes: many.map(({ url: id }) => ({ id, content: "x" })) });
      expect(await searxng(access()).search(question({ count: 8 }))).to.have.lengthOf(8);
    });

    it("is asked for each site by itself, and the sites take turns", async () => {
      reply = ({ query }) => {
        const site = query.get("q")?.split("site:")[1] ?? "";
        const found = ["1", "2"].map((page) => ({ url: `https://${site}/${page}`, title: page, content: "Text" }));
        return { body: { results: query.get("pageno") === "1" ? found : [] } };
      };
      const found = await searxng(access()).search(question({ sites: ["a.example", "b.example"] }));
      expect(found.map(({ url }) => url)).to.deep.equal([
        ...["https://a.example/1", "https://b.example/1", "https://a.example/2", "https://b.example/2"],
      ]);
    });

    it("says that JSON is off", async () => {
      reply = () => ({ status: 403, body: "Forbidden" });
      expect((await failureOf(searxng(access()).search(question()))).message)
        .to.include("json")
        .and.include("settings.yml");
    });

    it("tells nothing found from engines that did not answer", async () => {
      answers({
        results: [],
        unresponsive_engines: [
          ["bing", "timeout"],
          ["qwant", "Suspended: CAPTCHA"],
        ],
      });
      const { message } = await failureOf(searxng(access()).search(question()));
      expect(message).to.include("SearXNG").and.include("bing (timeout), qwant (Suspended: CAPTCHA)");
      answers({ results, unresponsive_engines: [["bing", "timeout"]] });
      expect(await searxng(access()).search(question({ count: 2 }))).to.have.lengthOf(2);
    });
  });

  describe("Brave", () => {
    it("is asked for plain text, within its limits", async () => {
      answers({
        web: { results: [{ url: "https://a.example/", title: "Tom &amp; <b>Ann</b>", description: "a &lt; b" }] },
      });
      const long = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
      expect(await brave(access()).search(question({ query: long }))).to.deep.equal([
        hit("https://a.example/", "Tom & Ann", "a < b"),
      ]);
      expect(seen[0]).to.deep.include({ method: "GET", path: "/base/web/search" });
      expect(seen[0]?.headers["x-subscription-token"]).to.equal(key);
      expect(parameters()).to.deep.equal({
        ...{ q: long.split(" ").slice(0, 50).join(" "), count: "5", offset: "0" },
        ...{ text_decorations: "false", result_filter: "web" },
      });
      await brave(access()).search(question({ query: `${"a".repeat(200)} ${"b".repeat(199)} ${"c".repeat(10)}` }));
      expect(seen[1]?.query.get("q")).to.equal(`${"a".repeat(200)} ${"b".repeat(199)}`);
      await brave(access()).search(question({ query: "d".repeat(1_000) }));
      expect(seen[2]?.query.get("q")).to.equal("d".repeat(400));
    });

    it("is asked for pages of twenty", async () => {
      reply = ({ query }) => {
        const [count, offset] = [Number(query.get("count")), Number(query.get("offset"))];
        const some = Math.min(count, 45 - offset * count);
        const results = Array.from({ length: some }, (_, at) => ({ url: `https://a.example/${offset * count + at}` }));
        return { body: { web: { results } } };
      };
      expect(await brave(access()).search(question({ count: 100 }))).to.have.lengthOf(45);
      expect(seen.map(({ query }) => query.get("offset"))).to.deep.equal(["0", "1", "2"]);
    });

    it("is kept to sites by a goggle, on the web and for context", async () => {
      answers({});
      const sites = ["a.example", "b.example"];
      await brave(access()).search(question({ sites }));
      await brave(access()).ground(question({ sites }));
      const goggle = "$discard\n$site=a.example\n$site=b.example";
      expect(seen.map(({ path, query }) => [path, query.get("goggles")])).to.deep.equal([
        ["/base/web/search", goggle],
        ["/base/llm/context", goggle],
      ]);
    });

    it("grounds with snippets, which may be JSON, and without a summary", async () => {
      const snippet = JSON.stringify({ "@type": "Answer", text: "A quarter of the fare.", votes: [{ up: 3 }] });
      const generic = [{ url: "https://a.example/", title: "A", snippets: ["First.", snippet] }];
      answers({ grounding: { generic }, sources: {} });
      expect(await brave(access()).ground(question())).to.deep.equal({
        summary: null,
        sources: [hit("https://a.example/", "A", "First.\n\ntext: A quarter of the fare.\nup: 3")],
      });
      expect(parameters()).to.include({ count: "5", maximum_number_of_urls: "5" });
    });

    it("says when its limit is over by the window that is used up", async () => {
      const headers = { "X-RateLimit-Remaining": "0, 14832", "X-RateLimit-Reset": "1, 1419704" };
      reply = () => ({
        status: 429,
        headers,
        body: { type: "ErrorResponse", error: { code: "RATE_LIMITED", status: 429 } },
      });
      expect(await failureOf(brave(access()).search(question()))).to.deep.include({ retryAfterSeconds: 1 });
    });
  });

  describe("Tavily", () => {
    const results = [
      { url: "https://a.example/", title: "A", content: "Short.", raw_content: "The whole page.", score: 0.9 },
    ];

    it("is asked for results, and for whole pages where they are wanted", async () => {
      answers({ results: [{ ...results[0], raw_content: undefined }] });
      expect(await tavily(access()).search(question({ count: 50, sites: ["a.example"] }))).to.deep.equal([
        hit("https://a.example/", "A", "Short."),
      ]);
      expect(seen[0]).to.deep.include({ method: "POST", path: "/base/search" });
      expect(seen[0]?.headers.authorization).to.equal(`Bearer ${key}`);
      expect(asked()).to.deep.equal({
        ...{ query: "delay compensation", search_depth: "basic", max_results: 20 },
        ...{ include_answer: false, include_raw_content: false, include_domains: ["a.example"] },
      });
      answers({ results });
      expect(await tavily(access()).search(question({ fullText: true }))).to.deep.equal([
        hit("https://a.example/", "A", "The whole page.", "Short."),
      ]);
      expect(seen[1]?.body).to.deep.include({ include_raw_content: "text" });
    });

    it("grounds with its answer", async () => {
      answers({ answer: "A quarter.", results });
      expect(await tavily(access()).ground(question())).to.deep.include({ summary: "A quarter." });
      expect(asked()).to.deep.include({ include_answer: true });
      answers({ answer: null, results });
      expect(await tavily(access()).ground(question())).to.deep.include({ summary: null });
    });

    it("says that its plan is used up", async () => {
      for (const status of [432, 433]) {
        reply = () => ({ status, body: { detail: { error: "This request exceeds your plan" } } });
        expect((await failureOf(tavily(access()).search(question()))).message)
          .to.include("Tavily")
          .and.include("plan");
      }
    });
  });

  describe("Exa", () => {
    const results = [
      { id: "1", url: "https://a.example/", title: null, text: "The whole page.", highlights: ["Fitting."] },
    ];

    it("is asked for highlights, and for texts where whole pages are wanted", async () => {
      answers({ results: [{ ...results[0], text: undefined }], requestId: "r" });
      expect(await exa(access()).search(question({ sites: ["a.example"] }))).to.deep.equal([
        hit("https://a.example/", "https://a.example/", "Fitting."),
      ]);
      expect(seen[0]).to.deep.include({ method: "POST", path: "/base/search" });
      expect(seen[0]?.headers["x-api-key"]).to.equal(key);
      expect(asked()).to.deep.equal({
        ...{ query: "delay compensation", type: "auto", numResults: 5, includeDomains: ["a.example"] },
        contents: { highlights: true },
      });
      answers({ results });
      expect(await exa(access()).search(question({ fullText: true }))).to.deep.equal([
        hit("https://a.example/", "https://a.example/", "The whole page.", "Fitting."),
      ]);
    });

    it("grounds with its answer, and with a search where an answer cannot be kept to sites", async () => {
      answers({ answer: "A quarter.", citations: [{ url: "https://a.example/", title: "A", text: "Of the fare." }] });
      expect(await exa(access()).ground(question())).to.deep.equal({
        summary: "A quarter.",
        sources: [hit("https://a.example/", "A", "Of the fare.")],
      });
      expect(seen[0]?.path).to.equal("/base/answer");
      answers({ results });
      expect(await exa(access()).ground(question({ sites: ["a.example"] }))).to.deep.include({ summary: null });
      expect(seen[1]?.path).to.equal("/base/search");
    });
  });

  describe("Linkup", () => {
    it("is asked for results, of which those with text count", async () => {
      answers({
        results: [
          { type: "text", name: "A", url: "https://a.example/", content: "Text." },
          { type: "image", name: "B", url: "https://b.example/b.png" },
        ],
      });
      expect(await linkup(access()).search(question({ sites: ["a.example"] }))).to.deep.equal([
        hit("https://a.example/", "A", "Text."),
      ]);
      expect(seen[0]).to.deep.include({ method: "POST", path: "/base/search" });
      expect(seen[0]?.headers.authorization).to.equal(`Bearer ${key}`);
      expect(asked()).to.deep.equal({
        ...{ q: "delay compensation", depth: "standard", outputType: "searchResults", maxResults: 5 },
        includeDomains: ["a.example"],
      });
    });

    it("grounds with its answer", async () => {
      answers({ answer: "A quarter.", sources: [{ name: "A", url: "https://a.example/", snippet: "Of the fare." }] });
      expect(await linkup(access()).ground(question())).to.deep.equal({
        summary: "A quarter.",
        sources: [hit("https://a.example/", "A", "Of the fare.")],
      });
      expect(asked()).to.deep.include({ outputType: "sourcedAnswer" });
    });

    it("finds nothing where it says so by an error", async () => {
      reply = () => ({
        status: 400,
        body: { statusCode: 400, error: { code: "SEARCH_QUERY_NO_RESULT", message: "None." } },
      });
      expect(await linkup(access()).search(question())).to.deep.equal([]);
      expect(await linkup(access()).ground(question())).to.deep.equal({ summary: null, sources: [] });
    });

    it("tells credit that is used up from too many questions", async () => {
      reply = () => ({ status: 429, body: { error: { code: "INSUFFICIENT_FUNDS_CREDITS" } } });
      expect((await failureOf(linkup(access()).search(question()))).message).to.include("credit");
      reply = () => ({ status: 429, body: { error: { code: "TOO_MANY_REQUESTS" } } });
      expect((await failureOf(linkup(access()).search(question()))).message).to.include("429");
    });
  });
});
