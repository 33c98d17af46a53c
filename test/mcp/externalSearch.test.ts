import { expect } from "chai";
import type { WebQuerySent } from "../../src/events/answer.js";
import type { ExternalSearchResult } from "../../src/mcp/routes/externalSearch.js";
import { plainSnippet } from "../../src/readModels/search.js";
import { EngineUnavailable } from "../../src/shared/failures.js";
import { failed, ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "../http/appWithFakes.js";
import { describeWithTestPackages } from "../support/testPackages.js";
import { mcpClients, type McpClient } from "./mcpClients.js";

const hit = {
  id: "wiki__a",
  title: "A",
  pathPreview: null,
  snippet: "Say <mark>&lt;b&gt;</mark> &amp;amp; &#39;x&#39;…",
};

const page = { url: "https://example.org/x", metadata: { title: "X", description: "" }, content: "Found." };

describeWithTestPackages("searches for chat programs that bring their own model", () => {
  let app: AppUnderTest;
  let client: McpClient;
  let isLogAway = false;
  const happened: (string | WebQuerySent["data"])[] = [];
  before(async () => {
    app = await startAppWithFakes({
      commands: {
        recordWebQuery: async (sent) => {
          if (isLogAway) throw new EngineUnavailable("It is away.");
          happened.push(sent);
          return ok({ value: null, position: null });
        },
      },
      queries: {
        search: async ({ query, person, count }) => {
          happened.push(`${person} ${query} ${count}`);
          return query === "bad"
            ? failed({ type: "QueryTooLarge", of: "exclusions", found: 17 } as const)
            : ok({ hits: [hit as never], total: 1, totalRelation: "eq" as const });
        },
      },
      dependencies: {
        searchesWeb: true,
        webSearch: {
          search: async ({ queries, count, mode }) => {
            happened.push(`left: ${queries.join()} ${count} ${mode}`);
            return [page];
          },
        },
      },
    });
    const headers = { Authorization: "Bearer key" };
    client = (await mcpClients["client 2.x, of 2026-07-28"]?.({ url: app.url, headers })) as McpClient;
  });
  after(async () => {
    await client.close();
    await app.stop();
  });
  beforeEach(() => {
    happened.length = 0;
    isLogAway = false;
  });

  const ask = (kind: string, body: object) =>
    fetch(`${app.url}/api/beta/external_search/${kind}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { Authorization: "Bearer key", "Content-Type": "application/json" },
    });
  const recorded = (query: string) => {
    const [sent, left] = happened;
    expect(sent).to.deep.include({ person: "ada@example.org", mode: null, queries: [query] });
    expect((sent as WebQuerySent["data"]).answerId).to.match(/^[0-9a-f]{20}$/);
    return left;
  };

  it("find documents as the key's person, with links that are never empty and plain snippets", async () => {
    const answer = await ask("documents", { query: "rail" });
    expect(answer.status).to.equal(200);
    expect((await answer.json()) as ExternalSearchResult[]).to.deep.equal([
      { link: `${app.url}/documents/wiki__a`, title: "A", snippet: "Say <b> &amp; 'x'…" },
    ]);
    expect(happened).to.deep.equal(["ada@example.org rail 5"]);
  });

  it("find pages, and record the query before it leaves", async () => {
    const answer = await ask("web", { query: "rail", count: 7 });
    expect(await answer.json()).to.deep.equal([{ link: page.url, title: "X", snippet: "Found." }]);
    expect(recorded("rail")).to.equal("left: rail 7 null");
    const { structuredContent } = await client.call("search_web", { query: " strikes " });
    expect(structuredContent).to.deep.equal({ results: [{ title: "X", url: page.url, text: "Found." }] });
    expect(happened.splice(0, 2)).to.have.length(2);
    expect(recorded("strikes")).to.equal("left: strikes 10 null");
    expect((await client.tools()).map(({ name }) => name)).to.include("search_web");
  });

  it("let nothing leave that cannot be recorded", async () => {
    isLogAway = true;
    expect((await ask("web", { query: "rail" })).status).to.equal(503);
    const { isError, content } = await client.call("search_web", { query: "rail" });
    expect([isError, content[0]?.text]).to.deep.equal([
      true,
      "The event log does not answer at the moment, so it is not known whether this was written. Send the request again; what was written already is found.",
    ]);
    expect(happened).to.deep.equal([]);
  });

  it("are refused as every other request is", async () => {
    for (const body of [{}, { query: " " }, { query: "x", count: 0 }, { query: "bad" }])
      expect((await ask("documents", body)).status).to.equal(422);
    expect((await ask("web", { query: "x".repeat(4_097) })).status).to.equal(422);
    expect((await fetch(`${app.url}/api/beta/external_search/web`, { method: "POST" })).status).to.equal(401);
  });

  it("leave what is no escape as it is", () => {
    expect(plainSnippet("a &nbsp; &amp;lt; <mark>b</mark>")).to.equal("a &nbsp; &lt; b");
  });
});
