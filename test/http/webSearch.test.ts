import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { WebSearchUnavailable } from "../../src/shared/failures.js";
import type { WebResult, WebSearchRequest } from "../../src/webSearch/webSearch.js";
import { eventually } from "../support/pauses.js";
import { ApiClient } from "../support/apiClient.js";
import { repositoryRoot } from "../support/repositoryFiles.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { startLoopback, type LoopbackServer } from "../support/web/loopbackServer.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

const path = "/api/beta/web_search";

describe("POST /api/beta/web_search", () => {
  let app: AppUnderTest;
  let asked: WebSearchRequest[] = [];
  let outcome: () => Promise<readonly WebResult[]> = () => Promise.resolve([]);

  before(async () => {
    const webSearch = {
      search: (request: WebSearchRequest) => {
        asked.push(request);
        return outcome();
      },
    };
    app = await startAppWithFakes({ dependencies: { webSearch } });
  });
  beforeEach(() => {
    asked = [];
    outcome = () => Promise.resolve([]);
  });
  after(() => app.stop());

  const post = (body: unknown, token = "key") => new ApiClient(app.url, token).post<never>(path, body);
  const issues = async (body: unknown): Promise<unknown> => {
    const answer = await post(body);
    expect(answer.status).to.equal(422);
    expect(asked).to.deep.equal([]);
    return (answer.body as { detail: { loc: unknown; type: string }[] }).detail.map(({ loc, type }) => [loc, type]);
  };

  it("asks with the defaults of the specification", async () => {
    expect(await post({ queries: [" fare "], other: true })).to.deep.include({ status: 200, body: [] });
    const [{ signal: _, ...request } = {}] = asked as Partial<WebSearchRequest>[];
    expect(request).to.deep.equal({
      ...{ queries: ["fare"], count: 10, sites: null, timeoutMs: 10_000, deepSearch: false, mode: null },
    });
  });

  it("asks for what the body says", async () => {
    const body = { queries: ["a", "b"], count: 3, sites: ["https://A.example/"], timeout: 1, deep_search: true };
    await post({ ...body, mode: "context" });
    const [{ signal: _, ...request } = {}] = asked as Partial<WebSearchRequest>[];
    expect(request).to.deep.equal({
      ...{ queries: ["a", "b"], count: 3, sites: ["a.example"], timeoutMs: 1_000, deepSearch: true, mode: "context" },
    });
    await post({ queries: ["a"], sites: null, mode: null });
    await post({ queries: ["a"], sites: [] });
    expect(asked.slice(1).map(({ sites, mode }) => [sites, mode])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
  });

  it("answers what was found", async () => {
    const found = [{ url: "https://a.example/", metadata: { title: "A", description: "About A." }, content: "Text." }];
    outcome = () => Promise.resolve(found);
    expect((await post({ queries: ["a"] })).body).to.deep.equal(found);
  });

  for (const [what, body, ...expected] of [
    ["no queries", {}, [["body", "queries"], "missing"]],
    ["an empty list of queries", { queries: [] }, [["body", "queries"], "too_short"]],
    ["an empty query", { queries: ["a", ""] }, [["body", "queries", 1], "string_too_short"]],
    ["a blank query", { queries: ["a", " \n"] }, [["body", "queries", 1], "string_too_short"]],
    ["a query that is none", { queries: [1] }, [["body", "queries", 0], "string_type"]],
    ["queries that are no list", { queries: "a" }, [["body", "queries"], "list_type"]],
    ["too many queries", { queries: Array(21).fill("a") }, [["body", "queries"], "too_long"]],
    ["no result", { queries: ["a"], count: 0 }, [["body", "count"], "greater_than_equal"]],
    ["a count as a text", { queries: ["a"], count: "3" }, [["body", "count"], "int_type"]],
    ["no time", { queries: ["a"], timeout: 0 }, [["body", "timeout"], "greater_than_equal"]],
    ["half a second", { queries: ["a"], timeout: 0.5 }, [["body", "timeout"], "int_from_float"]],
    ["an empty mode", { queries: ["a"], mode: "" }, [["body", "mode"], "enum"]],
    ["another mode", { queries: ["a"], mode: "brave" }, [["body", "mode"], "enum"]],
    ["a flag as a text", { queries: ["a"], deep_search: "yes" }, [["body", "deep_search"], "bool_type"]],
    ["a site with a port", { queries: ["a"], sites: ["a.example:81"] }, [["body", "sites", 0], "value_error"]],
    [
      "a site that is none",
      { queries: ["a"], sites: ["a.example", "\n$boost"] },
      [["body", "sites", 1], "value_error"],
    ],
  ] as const)
    it(`refuses ${what}`, async () => expect(await issues(body)).to.deep.equal(expected));

  it("is for personal keys", async () => {
    expect((await post({ queries: ["a"] }, "account")).status).to.equal(401);
    expect((await post({ queries: ["a"] }, "nobody")).status).to.equal(401);
  });

  it("says when to come back, where anybody knows", async () => {
    outcome = () => Promise.reject(new WebSearchUnavailable("Brave takes no more questions.", 7));
    const known = await post({ queries: ["a"] });
    expect(known).to.deep.include({ status: 503, body: { detail: "Brave takes no more questions." } });
    expect(known.headers.get("Retry-After")).to.equal("7");
    outcome = () => Promise.reject(new WebSearchUnavailable("WEB_SEARCH_ENGINE is not set."));
    expect((await post({ queries: ["a"] })).headers.get("Retry-After")).to.equal(null);
  });

  it("leaves no word of a question in the log", async () => {
    outcome = () => Promise.reject(new WebSearchUnavailable("Brave is not available."));
    await post({ queries: ["quenching question"], sites: ["quenching.example"] });
    expect(app.logLines.length).to.be.greaterThan(0);
    expect(JSON.stringify(app.logLines)).not.to.include("quenching");
  });
});

describe("a service that searches the web", () => {
  let web: LoopbackServer;
  let service: ServiceUnderTest;
  let ada: ApiClient;
  const article = `<html><head><title>T</title></head><body><nav>Menu</nav><article><h1>Rights</h1>
    <p>${"After a delay of an hour, a quarter of the fare is paid back, at once. ".repeat(10)}</p></article></body></html>`;

  const lease = readFileSync(join(repositoryRoot, "demo/files/office-lease.pdf"));

  before(async () => {
    web = await startLoopback(({ path: at, query }) => {
      if (at === "/robots.txt") return { status: 404 };
      if (at === "/article") return { body: article };
      if (at === "/lease") return { headers: { "Content-Type": "application/pdf" }, body: lease };
      const results = ["article", "lease", "gone"].map((page) => ({
        ...{ url: `${web.url}/${page}?utm_source=x`, title: `The ${page}`, content: "A snippet." },
      }));
      return at === "/search" && query.get("pageno") === "1" ? { body: { results } } : { status: 404 };
    });
    service = await startServiceUnderTest({
      SEARXNG_URL: web.url,
      CRAWL_ALLOWED_HOSTS: `127.0.0.1:${web.port}`,
      EXTRACTION_CONCURRENCY: "1",
    });
    ada = await service.person("ada@example.org");
  });
  after(async () => {
    await service.stop();
    await web.close();
  });

  it("asks its engine, and reads what that finds in a process of its own", async () => {
    const request = { queries: ["fare"], deep_search: true, count: 3, timeout: 30 };
    // A page that takes longer than that is shown by its snippet.
    const { status, body } = await eventually(
      () => ada.post<readonly WebResult[]>(path, request),
      (answer) => answer.status !== 200 || answer.body.slice(0, 2).every(({ content }) => content !== "A snippet."),
    );
    expect(status).to.equal(200);
    expect(body.map(({ url, metadata: { title } }) => [url, title])).to.deep.equal([
      [`${web.url}/article`, "The article"],
      [`${web.url}/lease`, "The lease"],
      [`${web.url}/gone`, "The gone"],
    ]);
    expect(body[0]?.content)
      .to.match(/^(## Rights\s+)?After a delay of an hour/)
      .and.not.include("Menu");
    expect(body[1]?.content).to.include("Lease of the office");
    expect(body[2]?.content).to.equal("A snippet.");
  });

  it("names the setting of a mode that nothing serves", async () => {
    const { status, body } = await ada.post<{ detail: string }>(path, { queries: ["fare"], mode: "context" });
    expect(status).to.equal(503);
    expect(body.detail).to.include("WEB_SEARCH_CONTEXT_ENGINE");
  });
});
