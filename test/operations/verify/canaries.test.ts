import { inspect } from "node:util";
import { expect } from "chai";
import type { Queries } from "../../../queries/queries.js";
import { Canaries } from "../../../src/operations/verify/canaries.js";
import type { SearchHit } from "../../../src/readModels/search.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../../src/shared/ids.js";
import { ok } from "../../../src/shared/result.js";

type Asked = Pick<Queries, "search" | "checkAccess">;

const answering = (ids: readonly string[], hasAccess: boolean): Asked => ({
  search: async () => ok({ hits: ids.map((id) => ({ id }) as SearchHit), total: ids.length, totalRelation: "eq" }),
  checkAccess: async () => ok({ hasAccess }),
});

const search = (query: string) =>
  ({
    person: toEmail("ada@example.org"),
    query,
    count: 10,
    startPage: 0,
    atLeast: null,
    datasources: null,
    fileTypes: null,
    modifiedFrom: null,
    modifiedTo: null,
  }) as const;
const decision = {
  datasource: toDatasourceName("wiki"),
  documentId: toDocumentId("leave.md"),
  email: toEmail("ada@example.org"),
  atLeast: null,
};

describe("canaries", () => {
  let canaries: Canaries;
  let queries: Queries;
  beforeEach(async () => {
    canaries = new Canaries(3);
    queries = canaries.watch(answering(["a"], true) as Queries);
    await queries.search(search("the secret plan"));
    await queries.checkAccess(decision);
  });

  it("find nothing where both versions answer the same", async () => {
    expect(await canaries.compare(answering(["a", "b"], true), answering(["a", "b"], true))).to.deep.equal({
      asked: 2,
      differences: [],
    });
  });

  it("tell what is answered differently, not what was asked and by whom", async () => {
    const report = await canaries.compare(answering(["a", "c"], true), answering(["a", "b", "d"], false));
    expect(report.differences).to.deep.equal([
      { kind: "search", total: { expected: 3, served: 2 }, missing: ["b", "d"], extra: ["c"] },
      { kind: "decision", document: "wiki/leave.md", expected: "refused", served: "granted" },
    ]);
    expect(JSON.stringify(report)).not.to.contain("ada").and.not.to.contain("plan");
  });

  it("take an order that is not the same for a difference", async () => {
    const { differences } = await canaries.compare(answering(["a", "b"], true), answering(["b", "a"], true));
    expect(differences).to.deep.equal([{ kind: "search", total: { expected: 2, served: 2 }, missing: [], extra: [] }]);
  });

  it("ask again before they speak of a difference: others write meanwhile", async () => {
    let asked = 0;
    const settling: Asked = {
      ...answering(["a"], true),
      search: () => answering(asked++ === 0 ? [] : ["a"], true).search(search("")),
    };
    expect((await canaries.compare(settling, answering(["a"], true))).differences).to.deep.equal([]);
  });

  it("forget the oldest, and are printed by nobody", async () => {
    for (const query of ["one", "two", "three", "four"]) await queries.search(search(query));
    expect((await canaries.compare(answering(["a"], true), answering(["a"], true))).asked).to.equal(3);
    expect(inspect(canaries, { depth: 9, showHidden: true }) + JSON.stringify(canaries))
      .not.to.contain("four")
      .and.not.to.contain("ada");
  });
});
