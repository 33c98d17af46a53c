import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Subject {
  readonly kind: string;
  readonly value: string;
  readonly label: string;
  readonly datasource: string | null;
  readonly present: boolean;
}

describe("documents, people and groups, found while their names are typed", () => {
  let service: ServiceUnderTest;
  let auditor: ApiClient;
  const datasource = "wiki";

  before(async () => {
    service = await startServiceUnderTest();
    const { indexing } = service;
    auditor = await service.person("eve@example.org", "auditor");
    for (const name of [datasource, "files"]) await indexing.post("/api/indexing/datasources", { name });
    for (const [email, name] of [
      ["ada@example.org", "Ada Lovelace"],
      ["grace@example.org", "Grace Hopper"],
    ])
      for (const on of [datasource, "files"])
        await indexing.post("/api/indexing/users", { datasource: on, user: { email, name } });
    await indexing.post("/api/indexing/groups", { datasource, group: { name: "ladies" } });
    const document = (id: string, title: string) => ({
      ...{ datasource, id, title, file_type: "page", body: { mime_type: "text/plain", text_content: "Text." } },
      permissions: { allowed_users: [{ email: "stranger@example.org" }] },
    });
    await indexing.post("/api/indexing/documents", {
      documents: [
        document("n1", "Notes about lad_ders"),
        document("n2", "Ladders"),
        document("n3", "Die große Übersicht"),
        document("ladder-9", "Old"),
      ],
    });
    await indexing.delete("/api/indexing/documents/wiki/ladder-9");
    // Documents, people and groups come by projections of their own.
    for (const name of ["n3", "lovelace", "hopper", "ladies"]) await untilFound(name);
  });
  after(() => service?.stop());

  const found = async (query: string): Promise<readonly Subject[]> => {
    const { status, body } = await auditor.get<readonly Subject[]>(`/api/audit/subjects?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const values = async (query: string): Promise<readonly string[]> => (await found(query)).map(({ value }) => value);
  const untilFound = async (name: string): Promise<void> => {
    while ((await values(`query=${name}`)).length === 0);
  };

  it("are found by the beginning first, then by the beginning of a word, then by any part", async () => {
    expect(await values("query=lad")).to.deep.equal(["wiki/ladies", "wiki/n2", "wiki/ladder-9", "wiki/n1"]);
    expect(await values("query=lovel")).to.deep.equal(["ada@example.org"]);
    expect(await values("query=hopp%20gra")).to.deep.equal(["grace@example.org"]);
    expect(await values("query=ove")).to.deep.equal(["ada@example.org"]);
    expect(await values("query=wiki/n&kind=document")).to.deep.equal(["wiki/n1", "wiki/n2", "wiki/n3"]);
    expect(await values("query=lad&count=1")).to.deep.equal(["wiki/ladies"]);
  });

  it("are found in any case, also beyond ASCII, and wildcards stand for themselves", async () => {
    expect(await values("query=%C3%BCBERSICHT")).to.deep.equal(["wiki/n3"]);
    expect(await values("query=GRO%C3%9FE")).to.deep.equal(["wiki/n3"]);
    expect(await values("query=lad_&kind=document")).to.deep.equal(["wiki/n1"]);
    expect(await values("query=%25")).to.deep.equal([]);
  });

  it("say what they are called, and whether they are there", async () => {
    expect(await found("query=ladder-9")).to.deep.equal([
      { kind: "document", value: "wiki/ladder-9", label: "Old", datasource, present: false },
    ]);
    expect(await found("query=ada@")).to.deep.equal([
      { kind: "person", value: "ada@example.org", label: "Ada Lovelace", datasource: null, present: true },
    ]);
    expect(await found("query=stranger")).to.deep.equal([
      {
        ...{ kind: "person", value: "stranger@example.org", label: "stranger@example.org" },
        ...{ datasource: null, present: false },
      },
    ]);
    expect((await found("query=ladies"))[0]).to.deep.include({ kind: "group", label: "ladies", present: true });
    await service.indexing.delete("/api/indexing/users/wiki/ada%40example.org");
    // On the other datasource she is still there.
    expect((await found("query=ada@"))[0]?.present).to.equal(true);
  });

  it("are for auditors alone, and asking for them is no question that is recorded", async () => {
    expect(
      (await (await service.person("bob@example.org", "operator")).get("/api/audit/subjects?query=a")).status,
    ).to.equal(403);
    const { body } = await auditor.get<{ items: object[] }>("/api/audit/questions");
    expect(body.items).to.deep.equal([]);
    for (const wrong of ["", "query=", "query=a&kind=x", "query=a&count=0", "query=a&other=1"])
      expect((await auditor.get(`/api/audit/subjects?${wrong}`)).status, wrong).to.equal(422);
  });
});
