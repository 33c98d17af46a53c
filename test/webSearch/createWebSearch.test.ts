import { expect } from "chai";
import { WebSearchUnavailable } from "../../src/shared/failures.js";
import { createWebSearch, type WebSearchParts } from "../../src/webSearch/createWebSearch.js";
import { engineOfMode, type EngineName, type NamedEngines } from "../../src/webSearch/engines.js";
import type { Grounding, WebHit, WebQuestion } from "../../src/webSearch/ports.js";
import type { WebSearchRequest } from "../../src/webSearch/webSearch.js";
import { failureOf } from "../support/web/failureOf.js";

const hit = (page: string, content = `The snippet of ${page}.`): WebHit => ({
  ...{ url: `https://a.example/${page}`, title: page, description: `About ${page}.`, content },
});
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new WebSearchUnavailable("Engine did not answer in time."))),
  );

describe("a search of the web", () => {
  let questions: WebQuestion[];
  beforeEach(() => (questions = []));

  interface Web {
    readonly hits?: Readonly<Record<string, readonly WebHit[] | Error | "silent">>;
    readonly groundings?: Readonly<Record<string, Grounding>>;
    readonly pages?: Readonly<Record<string, string>>;
    readonly defaultMode?: WebSearchParts["defaultMode"];
    readonly summarize?: WebSearchParts["summarize"];
  }
  const open = ({ hits = {}, groundings = {}, pages = {}, defaultMode = "search", summarize }: Web) => {
    const engine = {
      name: "Engine",
      search: (question: WebQuestion) => {
        questions.push(question);
        const found = hits[question.query] ?? [];
        if (found === "silent") return untilAborted(question.signal);
        return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
      },
      ground: (question: WebQuestion) => {
        questions.push(question);
        return Promise.resolve(groundings[question.query] ?? { summary: null, sources: [] });
      },
    };
    return createWebSearch({
      defaultMode,
      summarize: summarize ?? (() => Promise.resolve(null)),
      engine: () => Promise.resolve(engine),
      groundingEngine: () => Promise.resolve(engine),
      pages: () =>
        Promise.resolve({
          read: (url) => {
            const text = pages[url.split("/").at(-1) ?? ""];
            return Promise.resolve(text === undefined ? null : { text });
          },
        }),
    });
  };
  const request = (asked: Partial<WebSearchRequest> = {}): WebSearchRequest => ({
    ...{ queries: ["fare"], count: 10, sites: null, timeoutMs: 60_000, deepSearch: false, mode: null },
    ...asked,
  });

  describe("that reads pages", () => {
    const filler = Array.from({ length: 100 }, (_, at) => `Paragraph ${at} is about the weather in the hills.`).join(
      "\n\n",
    );
    const page = `# Rights\n\n${filler}\n\nA quarter of the fare is paid back after an hour.\n\n${filler}`;

    it("answers with the passages that fit the query, as plain text", async () => {
      const [found] = await open({ hits: { fare: [hit("1")] }, pages: { "1": page } }).search(request());
      expect(found).to.deep.include({ url: "https://a.example/1", metadata: { title: "1", description: "About 1." } });
      expect(found?.content).to.include("A quarter of the fare").and.not.include("# ");
      expect(found?.content.length).to.be.lessThan(page.length / 2);
    });

    it("keeps what the engine answers in its own words, and adds what the page says", async () => {
      const answers: readonly WebHit[] = [
        { ...hit("1", "A quarter."), page: "adds" },
        { ...hit("2", "Four."), page: "none" },
        { ...hit("gone", "An hour."), page: "adds" },
      ];
      const search = open({ hits: { fare: answers }, pages: { "1": page, "2": page } });
      const [first, ...others] = (await search.search(request())).map(({ content }) => content);
      expect(first).to.match(/^A quarter\.\n\n[^]*A quarter of the fare is paid back/);
      expect(others).to.deep.equal(["Four.", "An hour."]);
    });

    it("answers with whole pages where they are wanted", async () => {
      const search = open({ hits: { fare: [hit("1")] }, pages: { "1": page } });
      expect((await search.search(request({ deepSearch: true })))[0]?.content).to.equal(page);
    });

    it("keeps the engine's snippet of a page that is not read, or says nothing of the query", async () => {
      const search = open({ hits: { fare: [hit("gone"), hit("2")] }, pages: { "2": filler } });
      expect((await search.search(request())).map(({ content }) => content)).to.deep.equal([
        ...["The snippet of gone.", "The snippet of 2."],
      ]);
    });

    it("is the one that nobody has asked for otherwise", async () => {
      const web = { hits: { fare: [hit("1")] }, pages: { "1": "# Fare" } };
      expect((await open(web).search(request({ deepSearch: true })))[0]?.content).to.equal("# Fare");
      const thirdparty = open({ ...web, defaultMode: "thirdparty" });
      expect((await thirdparty.search(request({ deepSearch: true })))[0]?.content).to.equal("The snippet of 1.");
    });
  });

  it("answers as the engine says, with its whole pages where they are wanted", async () => {
    const search = open({ hits: { fare: [hit("1")] }, pages: { "1": "Another text." } });
    const found = await search.search(
      request({ mode: "thirdparty", deepSearch: true, sites: ["a.example"], count: 3 }),
    );
    expect(found).to.deep.equal([
      { url: "https://a.example/1", metadata: { title: "1", description: "About 1." }, content: "The snippet of 1." },
    ]);
    const [{ signal: _, ...asked } = {}] = questions as Partial<WebQuestion>[];
    expect(asked).to.deep.equal({ query: "fare", count: 3, sites: ["a.example"], fullText: true });
  });

  describe("for context", () => {
    const sources = [hit("1", "The fare is paid back after an hour of delay. Trains are often late."), hit("2")];
    const context = request({ mode: "context" });

    it("begins with the summary of the engine, then gives what it rests on", async () => {
      const found = await open({ groundings: { fare: { summary: "A quarter.", sources } } }).search(context);
      expect(found.map(({ url, content }) => [url, content])).to.deep.equal([
        ["https://a.example/1", "A quarter."],
        ["https://a.example/1", sources[0]?.content],
        ["https://a.example/2", sources[1]?.content],
      ]);
      expect(found[0]?.metadata.title).to.equal("fare");
      expect(found[0]?.metadata.description).to.include("Engine has written");
    });

    it("puts a summary together where the engine has none, and says so", async () => {
      const [summary] = await open({ groundings: { fare: { summary: null, sources } } }).search(context);
      expect(summary?.content).to.equal("The fare is paid back after an hour of delay.");
      expect(summary?.metadata.description).to.include("no model has written it");
    });

    it("has a model write it from the sources where there is one, and says so", async () => {
      const summarize: WebSearchParts["summarize"] = (query, given) =>
        Promise.resolve(`${query}: ${given.map(({ title }) => title).join(", ")}`);
      const groundings = { fare: { summary: null, sources } };
      const [summary] = await open({ groundings, summarize }).search(context);
      expect(summary?.content).to.equal("fare: 1, 2");
      expect(summary?.metadata.description).to.include("the service's model has written");
    });

    it("takes the first sentences where none fits", async () => {
      const [summary] = await open({ groundings: { zebra: { summary: null, sources } } }).search({
        ...context,
        queries: ["zebra"],
      });
      expect(summary?.content).to.match(/^The fare is paid back/);
    });

    it("counts the summary", async () => {
      const search = open({ groundings: { fare: { summary: "A quarter.", sources } } });
      expect(await search.search({ ...context, count: 2 })).to.have.lengthOf(2);
      expect(await search.search({ ...context, count: 1 })).to.have.lengthOf(1);
    });

    it("tells which query a summary is of, where there are several", async () => {
      const groundings = {
        fare: { summary: "A quarter.", sources: sources.slice(0, 1) },
        meal: { summary: "Tea.", sources: sources.slice(1) },
        nothing: { summary: "Made up.", sources: [] },
      };
      const found = await open({ groundings }).search({ ...context, queries: ["fare", "meal", "nothing"] });
      expect(found[0]?.content).to.equal("fare\nA quarter.\n\nmeal\nTea.");
      expect(found[0]?.metadata.title).to.equal("fare; meal");
    });

    it("gives nothing where there is no source, or none on the sites", async () => {
      expect(await open({ groundings: { fare: { summary: "Made up.", sources: [] } } }).search(context)).to.deep.equal(
        [],
      );
      const search = open({ groundings: { fare: { summary: "A quarter.", sources } } });
      expect(await search.search({ ...context, sites: ["b.example"] })).to.deep.equal([]);
    });
  });

  describe("with several queries", () => {
    const down = new WebSearchUnavailable("Engine is down.", 9);

    it("asks all at once and merges what they find", async () => {
      const search = open({ hits: { a: [hit("1"), hit("2")], b: [hit("1"), hit("3")] } });
      const found = await search.search(request({ queries: ["a", "b"], count: 3 }));
      expect(found.map(({ metadata }) => metadata.title)).to.deep.equal(["1", "3", "2"]);
    });

    it("lets none cost the others anything that fails", async () => {
      const search = open({ hits: { a: down, b: [hit("1")] } });
      expect(await search.search(request({ queries: ["a", "b"] }))).to.have.lengthOf(1);
    });

    it("waits no longer than half of the time for some where others are there", async () => {
      const search = open({ hits: { a: "silent", b: [hit("1")] } });
      const found = await search.search(request({ queries: ["a", "b"], timeoutMs: 200 }));
      expect(found.map(({ metadata }) => metadata.title)).to.deep.equal(["1"]);
    });

    it("is refused where one failed and the others found nothing", async () => {
      const search = open({ hits: { a: [], b: down } });
      expect(await failureOf(search.search(request({ queries: ["a", "b"] })))).to.deep.equal({
        ...{ message: "Engine is down.", retryAfterSeconds: 9 },
      });
    });
  });

  it("finds nothing where there is nothing", async () => {
    for (const mode of ["search", "context", "thirdparty"] as const)
      expect(await open({}).search(request({ mode }))).to.deep.equal([]);
  });

  it("ends when time is up, or nobody waits any more", async () => {
    const search = open({ hits: { fare: "silent" } });
    expect((await failureOf(search.search(request({ timeoutMs: 1 })))).message).to.include("in time");
    const leaving = new AbortController();
    const left = failureOf(search.search(request({ signal: leaving.signal })));
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect((await left).message).to.include("in time");
  });
});

describe("the engine of a mode", () => {
  const none: NamedEngines = { search: null, context: null, thirdparty: null };
  const there = (...names: readonly EngineName[]) => new Set(names);
  const refusal = async (...asked: Parameters<typeof engineOfMode>): Promise<string> =>
    (await failureOf(Promise.resolve().then(() => engineOfMode(...asked)))).message;

  it("is the one that a setting names", () => {
    expect(engineOfMode("search", { ...none, search: "exa" }, there("exa", "searxng"))).to.equal("exa");
  });

  it("is the only one that can", () => {
    expect(engineOfMode("search", none, there("brave"))).to.equal("brave");
    expect(engineOfMode("context", none, there("brave", "searxng"))).to.equal("brave");
  });

  it("is missed with the setting's name", async () => {
    expect(await refusal("context", none, there("searxng"))).to.include("WEB_SEARCH_CONTEXT_ENGINE");
    expect(await refusal("thirdparty", none, there()))
      .to.include("WEB_SEARCH_THIRDPARTY_ENGINE")
      .and.include("EXA_API_KEY");
    expect(await refusal("search", none, there("brave", "exa")))
      .to.include("WEB_SEARCH_ENGINE")
      .and.include("brave, exa");
  });
});
