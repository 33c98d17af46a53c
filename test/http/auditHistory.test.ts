import { expect } from "chai";
import type { WhoAnswer } from "../../queries/audit/historyQuestions.js";
import { parseConsistencyToken } from "../../src/shared/position.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const people = Array.from({ length: 25 }, (_, index) => `person${String(index).padStart(2, "0")}@example.org`);

describe("pages of answers about the past", () => {
  let service: ServiceUnderTest;
  let auditor: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    auditor = await service.person("eve@example.org", "auditor");
    await service.indexing.request("POST", "/api/indexing/datasources", { name: "wiki" });
    for (const email of people) await service.indexing.request("POST", "/api/indexing/users", { datasource: "wiki", user: { email } });
    const document = { datasource: "wiki", id: "plan", title: "Plan", body: { mime_type: "text/plain", text_content: "Plan." }, file_type: "page" };
    await service.indexing.request("POST", "/api/indexing/documents", { documents: document });
  });
  after(() => service.stop());

  const who = async (query: string): Promise<WhoAnswer> => {
    const { status, body } = await auditor.request("GET", `/api/audit/who?document=wiki/plan&${query}`, undefined);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as WhoAnswer;
  };

  it("are all of one moment, whatever happens between them", async () => {
    const first = await who("count=10");
    await service.indexing.request("POST", "/api/indexing/users", { datasource: "wiki", user: { email: "aaa@example.org" } });
    const second = await who(`count=10&next=${first.next}`);
    // The same page once more: what is kept for the next one has gone on meanwhile.
    expect(await who(`count=10&next=${first.next}`)).to.deep.equal(second);
    const third = await who(`count=10&next=${second.next}`);
    expect([...first.items, ...second.items, ...third.items].map(({ user_email: email }) => email)).to.deep.equal(people);
    expect([first, second, third].map(({ total, position, next }) => [total, position, typeof next])).to.deep.equal([
      [25, first.position, "string"],
      [25, first.position, "string"],
      [25, first.position, "undefined"],
    ]);
    expect((await who("")).total).to.equal(26);
  });

  it("see the write that was answered just before, and the moment of its token for ever", async () => {
    const { headers } = await service.indexing.request("POST", "/api/indexing/users", { datasource: "wiki", user: { email: "zoe@example.org" } });
    const now = await who("count=1000");
    expect(now.items.at(-1)).to.deep.equal({ user_email: "zoe@example.org", via: { grant: "anonymous", groups: [] } });
    const token = headers.get("x-consistency-token") ?? "";
    const then = await who(`count=1000&at=${token}`);
    expect(then.items).to.deep.equal(now.items);
    expect(then.position).to.equal(String(parseConsistencyToken(token)));
  });

  it("are told apart from the future, and from a moment without the datasource", async () => {
    const future = await auditor.request("GET", "/api/audit/who?document=wiki/plan&at=2999-01-01", undefined);
    expect(future.status).to.equal(422);
    const before = await who("at=2001-01-01");
    expect(before).to.deep.include({ items: [], total: 0, position: "0" });
    expect(before.missing?.kind).to.equal("datasource_absent");
  });
});
