import { expect } from "chai";
import type { QuestionsAnswer } from "../../src/audit/routes/auditQuestions.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { describeWithTestPackages } from "../support/testPackages.js";
import { mcpClients, type McpClient, type ToolAnswer } from "./mcpClients.js";

const long = "Rail travel is booked by the desk. ".repeat(4_000);
const rules = Array.from(
  { length: 60 },
  (_, n) => `# Rule ${n}\n\n${"Nothing is told here. ".repeat(60)}${n === 41 ? "A bicycle is paid for." : ""}`,
).join("\n\n");

describeWithTestPackages("the Model Context Protocol", () => {
  let service: ServiceUnderTest;
  let [ada, bob, auditor]: ApiClient[] = [];
  const connected: McpClient[] = [];
  before(async () => {
    service = await startServiceUnderTest({ PUBLIC_URL: "https://search.example.org" });
    const push = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status, path).to.equal(200);
    };
    await push("datasources", {
      ...{ name: "handbook", display_name: "Handbook" },
      subs: [{ name: "Travel", key: "travel", subs: [{ name: "Rail", key: "rail" }] }],
    });
    await push("datasources", { name: "secret" });
    for (const email of ["ada@example.org", "bob@example.org"])
      await push("users", { datasource: "handbook", user: { email } });
    const body = { mime_type: "text/plain", text_content: "Send receipts for rail travel within a month." };
    const document = { datasource: "handbook", file_type: "page", body };
    const path_preview = "https://wiki.example.org/travel";
    await push("documents", {
      documents: [
        { ...document, id: "open", title: "Travel", path_preview, path: "Wiki / Travel", data_source_sub: "travel" },
        {
          ...document,
          id: "adas",
          title: "Ada's travel",
          permissions: { allowed_users: [{ email: "ada@example.org" }] },
        },
        { ...document, id: "rules", title: "Rules", body: { mime_type: "text/plain", text_content: rules } },
        { ...document, id: "long", title: "Desk", body: { mime_type: "text/plain", text_content: `🚂${long}` } },
      ],
    });
    ada = await service.person("ada@example.org");
    bob = await service.person("bob@example.org");
    auditor = await service.person("grace@example.org", "auditor");
    // Everything is searchable.
    expect((await ada.get<{ total: number }>("/api/beta/search?query=travel")).body.total).to.equal(3);
  });
  after(async () => {
    for (const client of connected) await client.close();
    await service.stop();
  });

  const bearer = (client: ApiClient | undefined) => ({ Authorization: `Bearer ${client?.credential}` });
  const connect = async (as: ApiClient | undefined, kind = "client 2.x, of 2026-07-28"): Promise<McpClient> => {
    const client = await mcpClients[kind]?.({ url: service.url, headers: bearer(as) });
    if (client === undefined) return expect.fail(`There is no ${kind}.`);
    connected.push(client);
    return client;
  };
  /** What a tool found; the text says the same. */
  const found = <Answer>({ content, structuredContent, isError }: ToolAnswer): Answer => {
    expect(content.map(({ type }) => type)).to.deep.equal(["text"]);
    expect(isError ?? false, content[0]?.text).to.equal(false);
    expect(JSON.parse(content[0]?.text ?? "")).to.deep.equal(structuredContent);
    return structuredContent as Answer;
  };
  const failure = ({ content, isError }: ToolAnswer): string => {
    expect(isError).to.equal(true);
    return content[0]?.text ?? "";
  };
  interface Found {
    readonly results: readonly { readonly id: string; readonly title: string; readonly url: string }[];
  }
  interface Fetched {
    readonly text: string;
    readonly url: string;
    readonly metadata: Readonly<Record<string, string>>;
  }

  for (const kind of Object.keys(mcpClients))
    it(`answers ${kind}`, async () => {
      const client = await connect(ada, kind);
      const tools = await client.tools();
      expect(tools.map(({ name }) => name)).to.deep.equal(["search", "fetch", "list_sources"]);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).to.equal(true);
      const { results } = found<Found>(await client.call("search", { query: "receipts" }));
      expect([...results].sort((one, other) => one.id.localeCompare(other.id))).to.deep.equal([
        {
          ...{ id: "handbook__adas", title: "Ada's travel" },
          url: "https://search.example.org/documents/handbook__adas",
        },
        { id: "handbook__open", title: "Travel", url: "https://wiki.example.org/travel" },
      ]);
      expect(found(await client.call("fetch", { id: "handbook__open" }))).to.deep.equal({
        ...{ id: "handbook__open", title: "Travel", url: "https://wiki.example.org/travel" },
        text: "Send receipts for rail travel within a month.",
        metadata: {
          ...{ datasource: "handbook", path: "Wiki / Travel", file_type: "page", mime_type: "text/plain" },
        },
      });
    });

  it("shows everybody what they may see alone, and nobody that there is more", async () => {
    const [adas, bobs, nobodys] = [await connect(ada), await connect(bob), await connect(auditor)];
    const idsFor = async (client: McpClient, asked: object): Promise<readonly string[]> =>
      found<Found>(await client.call("search", { query: "receipts", ...asked })).results.map(({ id }) => id);
    expect(await idsFor(adas, {})).to.have.members(["handbook__open", "handbook__adas"]);
    expect(await idsFor(adas, { sources: ["handbook__travel"] })).to.deep.equal(["handbook__open"]);
    expect(await idsFor(bobs, { sources: [] })).to.deep.equal(["handbook__open"]);
    expect(await idsFor(nobodys, {})).to.deep.equal([]);
    const forbidden = failure(await bobs.call("fetch", { id: "handbook__adas" }));
    expect(forbidden).to.equal('There is no document with the id "handbook__adas".');
    expect(failure(await bobs.call("fetch", { id: "handbook__none" }))).to.equal(forbidden.replace("adas", "none"));
    expect(found(await bobs.call("list_sources", {}))).to.deep.equal({
      sources: [
        { source: "handbook", name: "Handbook" },
        { source: "handbook__travel", name: "Handbook / Travel" },
        { source: "handbook__travel__rail", name: "Handbook / Travel / Rail" },
      ],
    });
    expect(found(await nobodys.call("list_sources", {}))).to.deep.equal({ sources: [] });
  });

  it("gives those passages of a long text that fit a query, under their headings", async () => {
    const client = await connect(ada);
    const about = { id: "handbook__rules", query: "Who pays for a bicycle?" };
    const { text, metadata }: Fetched = found<Fetched>(await client.call("fetch", about));
    expect(text).to.match(/^Rule 41\n\n.*A bicycle is paid for\.\n\n\[These are passages of the text\./s);
    expect(text.length).to.be.lessThan(2_500);
    expect(metadata["truncated"]).to.equal("true");
    const short = { id: "handbook__open", query: "bicycle" };
    expect(found<Fetched>(await client.call("fetch", short)).text).to.match(/^Send receipts/);
  });

  it("ends a piece of a text where a passage ends", async () => {
    const client = await connect(ada);
    const { text } = found<Fetched>(await client.call("fetch", { id: "handbook__rules" }));
    expect(text).to.match(/Nothing is told here\.\n\n\[The text goes on\./);
  });

  it("gives a long text in pieces that are the whole", async () => {
    const client = await connect(ada);
    let whole = "";
    let pieces = 0;
    for (let start: number | null = 0; start !== null; pieces++) {
      const { text, metadata }: Fetched = found<Fetched>(await client.call("fetch", { id: "handbook__long", start }));
      const next: string | undefined = metadata["next_start"];
      const end = `\n\n[The text goes on. Fetch it again with "start": ${next}.]`;
      expect(text.endsWith(end)).to.equal(next !== undefined);
      expect(metadata["truncated"]).to.equal(next === undefined ? undefined : "true");
      whole += next === undefined ? text : text.slice(0, -end.length);
      start = next === undefined ? null : Number(next);
    }
    expect(whole === `🚂${long}`).to.equal(true);
    expect(pieces).to.equal(3);
    const { text } = found<Fetched>(await client.call("fetch", { id: "handbook__long", start: 10_000_000 }));
    expect(text).to.equal("");
  });

  it("says in sentences what cannot be done", async () => {
    const client = await connect(ada);
    const exclusions = Array.from({ length: 17 }, (_, number) => `-word${number}`).join(" ");
    const excluding = await client.call("search", { query: `notes ${exclusions}` });
    expect(failure(excluding)).to.match(/^query: .* at most 16 excluded words/);
    expect(failure(await client.call("search", { query: "x", sources: ["No Name"] }))).to.match(/^data_source: /);
    for (const asked of [{}, { query: " " }, { query: 7 }])
      expect(failure(await client.call("search", asked))).to.contain("query");
  });

  it("answers auditors about access, and records that they asked", async () => {
    const client = await connect(auditor);
    expect((await client.tools()).map(({ name }) => name)).to.include.members(["explain_access", "who_could_see"]);
    const document = "handbook__adas";
    const explained = found<{ has_access: boolean; position: string }>(
      await client.call("explain_access", { user: "Bob@example.org", document }),
    );
    expect(explained.has_access).to.equal(false);
    const who = found<{ items: readonly { user_email: string }[] }>(await client.call("who_could_see", { document }));
    expect(who.items.map(({ user_email: email }) => email)).to.deep.equal(["ada@example.org"]);
    const { items } = (await auditor?.get<QuestionsAnswer>("/api/audit/questions"))?.body ?? { items: [] };
    expect(items.map(({ question, about }) => [question, about])).to.deep.equal([
      ["access", { user: "bob@example.org", document: "handbook/adas" }],
      ["who", { document: "handbook/adas" }],
    ]);
    expect(failure(await client.call("who_could_see", { document, at: "soon" }))).to.match(/^at: .*moment/);
    const refused = await (await connect(ada)).call("explain_access", { user: "a@b", document }).catch(String);
    expect(JSON.stringify(refused)).to.contain("not found");
  });

  for (const kind of Object.keys(mcpClients))
    it(`takes null for whatever may be left out, from ${kind}`, async () => {
      const client = await connect(auditor, kind);
      const { results } = found<Found>(await client.call("search", { query: "receipts", sources: null }));
      expect(results).to.deep.equal([]);
      const document = "handbook__open";
      const asked = await connect(ada, kind);
      expect(found<Fetched>(await asked.call("fetch", { id: document, start: null, query: null })).text).to.match(
        /^Send/,
      );
      const who = found<{ at: unknown }>(await client.call("who_could_see", { document, at: null, next: null }));
      expect(who).to.have.property("items");
      expect(failure(await asked.call("search", { query: null }))).to.match(/query/);
    });

  describe("on the wire", () => {
    const clientInfo = { name: "test", version: "1" };
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const send = (init: RequestInit, headers: Readonly<Record<string, string>> = bearer(ada)) =>
      fetch(`${service.url}/mcp`, {
        ...{ method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }), ...init },
        headers: { "Content-Type": "application/json", ...headers },
      });
    const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;

    it("is for personal keys alone, and for POST", async () => {
      for (const headers of [{}, bearer(service.indexing), { Authorization: "Bearer amber_key_x_y" }]) {
        const answer = await send({}, headers);
        expect(answer.status).to.equal(401);
        expect(answer.headers.get("WWW-Authenticate")).to.equal("Bearer");
        expect(await detailOf(answer)).to.be.a("string");
      }
      for (const method of ["GET", "DELETE", "PUT"]) {
        const answer = await send({ method, body: null });
        expect([answer.status, answer.headers.get("Allow")]).to.deep.equal([405, "POST, OPTIONS"]);
      }
    });

    it("refuses web pages of others", async () => {
      const statuses = async (...origins: readonly string[]) =>
        Promise.all(origins.map(async (Origin) => (await send({}, { ...bearer(ada), Origin })).status));
      expect(await statuses("https://search.example.org", "http://localhost:6274", "http://[::1]")).to.deep.equal([
        200, 200, 200,
      ]);
      const others = [service.url.replace("127.0.0.1", "evil.example"), "https://search.example.org.evil.example"];
      expect(await statuses(...others, "null", "https://search.example.org:444")).to.deep.equal([403, 403, 403, 403]);
    });

    it("refuses what is no message", async () => {
      expect((await send({ body: "{" })).status).to.equal(422);
      expect((await send({ body: `"${"x".repeat(1_100_000)}"` })).status).to.equal(413);
      for (const body of ["7", "{}", "[]"]) {
        const answer = await send({ body });
        expect(answer.status).to.equal(400);
        expect(await answer.json()).to.have.property("jsonrpc", "2.0");
      }
      const notified = await send({ body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) });
      expect([notified.status, await notified.text()]).to.deep.equal([202, ""]);
    });

    it("answers in JSON where a client takes nothing else, in each revision", async () => {
      const call = { name: "search", arguments: { query: "receipts" } };
      const messages: readonly (readonly [object, Readonly<Record<string, string>>])[] = [
        [{ method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } }, {}],
        [{ method: "tools/call", params: call }, { "MCP-Protocol-Version": "2025-06-18" }],
        [
          { method: "tools/call", params: { ...call, _meta: envelope } },
          { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search" },
        ],
      ];
      for (const [message, headers] of messages) {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 7, ...message });
        const answer = await send({ body }, { ...bearer(ada), ...headers, Accept: "application/json" });
        expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([200, "application/json"]);
        expect(await answer.json())
          .to.have.property("id", 7)
          .and.not.have.property("error");
      }
      const both = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
      const streamed = await send({ body: both }, { ...bearer(ada), Accept: "application/json, text/event-stream" });
      expect(streamed.headers.get("content-type")).to.equal("text/event-stream");
    });

    it("has nothing to subscribe to", async () => {
      const params = { _meta: envelope, notifications: { toolsListChanged: true } };
      const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
      const answer = await send({ body }, { ...bearer(ada), ...headers });
      expect(await answer.json()).to.have.nested.property("error.message", "Subscription limit reached");
    });
  });
});
