import { expect } from "chai";
import type { Method } from "../support/apiClient.js";
import { ConsistencyTokens } from "../../src/shared/consistencyTokens.js";
import { toPosition } from "../../src/shared/position.js";
import { tokensOf } from "../support/tokenPositions.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

describe("consistency tokens", () => {
  let service: ServiceUnderTest;
  before(async () => (service = await startServiceUnderTest()));
  after(() => service.stop());

  const document = {
    datasource: "wiki",
    id: "a",
    title: "A",
    file_type: "page",
    body: { mime_type: "text/plain", text_content: "a" },
    last_modified: "2024-05-01T09:30:00Z",
  };

  it("never go backwards, whatever a write changes or finds unchanged", async () => {
    const writes: readonly (readonly [Method, string, unknown?])[] = [
      ["POST", "/datasources", { name: "wiki" }],
      ["POST", "/users", { datasource: "wiki", user: { email: "ada@example.org", name: "Ada" } }],
      ["POST", "/groups", { datasource: "wiki", group: { name: "staff" } }],
      ["POST", "/documents", { documents: document }],
      ["PUT", "/datasources/wiki", { display_name: "The wiki" }],
      ["PUT", "/users/wiki/ada@example.org", { name: "Ada" }],
      ["PUT", "/groups/wiki/staff", { group_name: "staff" }],
      ["POST", "/documents", { documents: document }],
      ["POST", "/documents", { documents: [document] }],
      ["DELETE", "/documents/wiki/never"],
      ["PUT", "/datasources/wiki", { display_name: "The wiki" }],
    ];
    let newest = 0n;
    for (const [method, path, body] of writes) {
      const { status, headers } = await service.indexing.request(method, `/api/indexing${path}`, body);
      const token = (await tokensOf(service).positionOf(headers.get("x-consistency-token") ?? "")) ?? -1n;
      expect([status, token >= newest], `${method} ${path}`).to.deep.equal([200, true]);
      newest = token;
    }
  });

  it("let a chat find what was just written", async () => {
    const ada = await service.person("ada@example.org");
    const messages = [{ role: "user", content: "What is the password of the harbour?" }];
    const asked = { messages, model: "amber-extractive", tools: [{ function: { name: "internalSearch" } }] };
    for (let times = 0; times < 5; times++) {
      const text = `The password of the harbour is astrolabe${times}.`;
      const body = { mime_type: "text/plain", text_content: text };
      const written = await service.indexing.post("/api/indexing/documents", {
        documents: { ...document, body, last_modified: `2025-05-0${times + 1}T09:30:00Z` },
      });
      const headers = { "x-consistency-token": written.headers.get("x-consistency-token") ?? "" };
      const answer = await ada.post("/api/beta/amberai/chat/completions", asked, { headers });
      expect(JSON.stringify(answer.body)).to.include(`astrolabe${times}`);
    }
    const headers = { "x-consistency-token": (await tokensOf(service).of(toPosition(1_000_000_000))) ?? "" };
    expect((await ada.post("/api/beta/amberai/chat/completions", asked, { headers })).status).to.equal(409);
  });

  const read = (token: string) =>
    service.indexing.get<{ detail: unknown }>("/api/indexing/datasources", {
      headers: { "x-consistency-token": token },
    });

  it("from beyond the log, and of another one, are refused at once, in a sentence", async () => {
    const beyond = await tokensOf(service).of(toPosition(1_000_000_000));
    const foreign = await new ConsistencyTokens(() => Promise.resolve("another log")).of(toPosition(1));
    const known = await tokensOf(service).of(toPosition(1));
    for (const token of [beyond, foreign, `p2-${"A".repeat(22)}`, `${known}, ${foreign}`]) {
      const { status, body } = await read(token ?? "");
      expect(status, token ?? "").to.equal(409);
      expect(body.detail).to.match(/^X-Consistency-Token names a write that the log /);
    }
  });

  it("may be several, all of which are waited for", async () => {
    const { indexing } = service;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        indexing.post("/api/indexing/datasources", { name: `parallel${index}` }),
      ),
    );
    const tokens = answers.map(({ headers }) => headers.get("x-consistency-token") ?? "");
    const { body } = await read(tokens.join(","));
    const names = (body as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).to.include.members(tokens.map((_, index) => `parallel${index}`));
    for (const malformed of ["", "36", `${tokens[0]},`, `${tokens[0]}, x`, Array(101).fill(tokens[0]).join()])
      expect((await read(malformed)).status, malformed).to.equal(422);
  });

  it("are positions of questions about the past", async () => {
    const auditor = await service.person("grace@example.org", "auditor");
    const { headers } = await service.indexing.post("/api/indexing/users", {
      datasource: "wiki",
      user: { email: "bob@example.org" },
    });
    const token = headers.get("x-consistency-token") ?? "";
    const asked = (at: string) => auditor.get<{ position: string }>(`/api/audit/what?user=bob@example.org&at=${at}`);
    expect((await asked(token)).body.position).to.equal(String(await tokensOf(service).positionOf(token)));
    expect((await asked(`p2-${"A".repeat(22)}`)).status).to.equal(422);
  });

  it("tell nobody which datasources there are: an unknown filter is answered like an unseen one", async () => {
    const stranger = await service.person("eve@example.org");
    const asked = (name: string) => stranger.get(`/api/beta/search?query=a&data_source=${name}`);
    const [known, unknown] = [await asked("wiki"), await asked("no_such_place")];
    expect([known.status, unknown.status]).to.deep.equal([200, 200]);
    expect(unknown.body).to.deep.equal(known.body);
    expect((await asked("wiki__sub")).body).to.deep.equal(known.body);
    expect((await asked("No-Name")).status).to.equal(422);
  });
});
