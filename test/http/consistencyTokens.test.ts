import { expect } from "chai";
import type { Method } from "../support/apiClient.js";
import { parseConsistencyToken } from "../../src/shared/position.js";
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
      const token = parseConsistencyToken(headers.get("x-consistency-token") ?? "") ?? -1n;
      expect([status, token >= newest], `${method} ${path}`).to.deep.equal([200, true]);
      newest = token;
    }
  });

  it("from beyond the log are refused at once, in a sentence", async () => {
    const headers = { "x-consistency-token": "p1-zzzzzzzzz" };
    const { status, body } = await service.indexing.get("/api/indexing/datasources", { headers });
    expect(status).to.equal(409);
    expect((body as { detail: string }).detail).to.match(/^X-Consistency-Token names a write that the log /);
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
