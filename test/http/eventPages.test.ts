import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Told {
  readonly position: string;
  readonly at: string;
  readonly stream: string;
  readonly type: string;
  readonly by: string;
  readonly id: string;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly datasource: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Page {
  readonly events: readonly Told[];
  readonly next: string | null;
}

describe("pages of events", () => {
  let service: ServiceUnderTest;
  let operator: ApiClient;
  let all: readonly Told[];
  const datasource = "wiki";

  before(async () => {
    service = await startServiceUnderTest();
    const { indexing } = service;
    operator = await service.person("root@example.org", "operator");
    await indexing.post("/api/indexing/datasources", { name: datasource });
    for (const name of ["ada", "bob", "cleo"])
      await indexing.post("/api/indexing/users", { datasource, user: { email: `${name}@example.org` } });
    await indexing.post("/api/indexing/groups", { datasource, group: { name: "staff" } });
    await indexing.post("/api/indexing/memberships", {
      datasource,
      membership: { group_name: "staff", member_email: "ada@example.org" },
    });
    await indexing.post("/api/indexing/documents", {
      documents: ["a", "b"].map((id) => ({
        ...{ datasource, id, title: id, file_type: "page", body: { mime_type: "text/plain", text_content: "Secret." } },
        permissions: { allowed_users: [{ email: "ada@example.org" }] },
      })),
    });
    const administrator = await service.signedIn("root@example.org", "administrator");
    await administrator.post("/api/admin/groups", { datasource, group: { name: "board" } });
    await indexing.delete("/api/indexing/users/wiki/ada%40example.org");
    all = (await page("order=asc&count=200")).events;
  });
  after(() => service?.stop());

  const page = async (query: string): Promise<Page> => {
    const { status, body } = await operator.get<Page>(`/api/admin/events/page?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  /** All pages of so many events each. */
  const pages = async (query: string): Promise<readonly Told[]> => {
    const found: Told[] = [];
    for (let next: string | null = ""; next !== null;) {
      const read = await page(`${query}&count=2${next === "" ? "" : `&next=${next}`}`);
      found.push(...read.events);
      next = read.next;
    }
    return found;
  };
  const typesOf = (events: readonly Told[]): readonly string[] => events.map(({ type }) => type);

  it("hold everything once, in the order of the log or against it", async () => {
    expect(all.length).to.be.greaterThan(8);
    expect(await pages("order=asc")).to.deep.equal(all);
    expect(await pages("")).to.deep.equal(all.toReversed());
  });

  it("are of a stream, a category or a type", async () => {
    const ofAda = all.filter(({ stream }) => stream.endsWith(":ada@example.org"));
    expect(typesOf(ofAda)).to.deep.equal(["UserRegistered", "MembershipAdded", "MembershipRemoved", "UserDeleted"]);
    const [{ stream = "" } = {}] = ofAda;
    expect(await pages(`stream=${encodeURIComponent(stream)}`)).to.deep.equal(ofAda.toReversed());
    expect(typesOf(await pages("category=groupGraph"))).to.deep.equal(["GroupCreated", "GroupCreated"]);
    expect(typesOf(await pages("type=DocumentIndexed"))).to.deep.equal(["DocumentIndexed", "DocumentIndexed"]);
    expect(await pages("type=DocumentIndexed&category=user")).to.deep.equal([]);
  });

  it("begin where one asks them to", async () => {
    const { position } = all[4] as Told;
    expect((await page(`from=${position}&order=asc&count=1`)).events).to.deep.equal([all[4]]);
    expect(await pages(`from=${position}`)).to.deep.equal(all.slice(0, 5).toReversed());
    expect(await pages(`from=${position}&order=asc`)).to.deep.equal(all.slice(4));
  });

  it("are of what a person did, with a key or otherwise, and of what names her", async () => {
    const ofAda = await pages("person=ADA%40example.org&order=asc");
    expect(typesOf(ofAda)).to.deep.equal([
      "UserRegistered",
      "MembershipAdded",
      "DocumentIndexed",
      "DocumentIndexed",
      "MembershipRemoved",
      "UserDeleted",
    ]);
    const ofRoot = await pages("person=root%40example.org&order=asc");
    expect(typesOf(ofRoot)).to.include.members(["ApiKeyCreated", "GroupCreated"]);
    expect(ofRoot.filter(({ type }) => type === "GroupCreated").map(({ data }) => data["name"])).to.deep.equal([
      "board",
    ]);
  });

  it("are of one request, and of what one event or request caused", async () => {
    const deleted = all.at(-1) as Told;
    expect(typesOf(await pages(`correlation_id=${deleted.correlation_id}&order=asc`))).to.deep.equal([
      "MembershipRemoved",
      "UserDeleted",
    ]);
    const caused = await pages(`causation_id=${deleted.causation_id}&order=asc`);
    expect(caused.map(({ causation_id: by }) => by)).to.deep.equal(caused.map(() => deleted.causation_id));
    expect(caused.length).to.be.greaterThan(0);
    expect(await pages("correlation_id=nothing")).to.deep.equal([]);
  });

  it("are of a time", async () => {
    const times = [...new Set(all.map(({ at }) => at))].toSorted();
    const middle = times[Math.floor(times.length / 2)] as string;
    for (const order of ["asc", "desc"]) {
      const sorted = (events: readonly Told[]) => (order === "asc" ? events : events.toReversed());
      expect(await pages(`order=${order}&since=${middle}`)).to.deep.equal(sorted(all.filter(({ at }) => at >= middle)));
      expect(await pages(`order=${order}&until=${middle}`)).to.deep.equal(sorted(all.filter(({ at }) => at <= middle)));
      expect(await pages(`order=${order}&since=${middle}&until=${middle}`)).to.deep.equal(
        sorted(all.filter(({ at }) => at === middle)),
      );
    }
    expect(await pages("until=2001-01-01T00:00:00Z")).to.deep.equal([]);
  });

  it("show neither secrets nor texts, name the datasource, and are for operators alone", async () => {
    const text = JSON.stringify(all);
    expect(text).not.to.contain("Secret.");
    expect(text).not.to.match(/secretSha256|passwordHash/);
    expect(all.find(({ type }) => type === "DocumentIndexed")?.datasource).to.equal(datasource);
    const auditor = await service.person("eve@example.org", "auditor");
    expect((await auditor.get("/api/admin/events/page")).status).to.equal(403);
    for (const wrong of [
      "order=up",
      "type=Nothing",
      "category=x",
      "since=yesterday",
      "count=0",
      "next=a",
      "other=1",
      "correlation_id=",
    ])
      expect((await operator.get(`/api/admin/events/page?${wrong}`)).status, wrong).to.equal(422);
  });
});
