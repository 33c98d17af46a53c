import { expect } from "chai";
import * as fc from "fast-check";
import type { PastSearchReader, SearchAmong } from "../../src/audit/ports/pastSearch.js";
import { toDatasourceId, toDocumentId } from "../../src/shared/ids.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { incarnationOf, noFilters, SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** An index with its reader for questions about the past. */
export interface PastSearchUnderTest extends SearchIndexUnderTest {
  readonly past: PastSearchReader;
}

type Named = Readonly<Record<string, readonly string[]>>;

/** Ranking among documents that are named. `open` gives a fresh, empty index each time. */
export function pastSearchContract(open: () => Promise<PastSearchUnderTest>): void {
  let under: PastSearchUnderTest;
  let scenario: SearchScenario;
  beforeEach(async () => {
    under = await open();
    scenario = new SearchScenario(under);
    await scenario.given(
      scenario.datasource({ name: "wiki", subs: { guides: [] } }),
      scenario.datasource({ name: "tickets" }),
    );
  });
  afterEach(() => scenario.close());

  const request = (query: string, named: Named, options: Partial<SearchAmong> = {}): SearchAmong => ({
    query,
    among: Object.entries(named).map(([name, ids]) => ({
      datasourceId: incarnationOf(name),
      documentIds: ids.map(toDocumentId),
    })),
    filters: noFilters,
    count: 100,
    startPage: 0,
    ...options,
  });
  const found = async (...asked: Parameters<typeof request>): Promise<readonly string[]> => {
    const { hits } = await under.past.searchAmong(request(...asked));
    return hits.map(({ id }) => id);
  };

  it("finds what is named, whoever may see it now, and nothing else", async () => {
    await scenario.given(
      scenario.document({ id: "open", text: "harbour" }),
      scenario.document({ id: "closed", text: "harbour", access: {} }),
      scenario.document({ id: "unnamed", text: "harbour" }),
      scenario.document({ id: "elsewhere", datasource: "tickets", text: "harbour", access: { groups: ["pilots"] } }),
    );
    expect(
      await found("harbour", { wiki: ["open", "closed", "gone"], tickets: ["elsewhere", "open"] }),
    ).to.have.members(["wiki__open", "wiki__closed", "tickets__elsewhere"]);
    expect(await found("harbour", { wiki: [] })).to.deep.equal([]);
    expect(await found("harbour", {})).to.deep.equal([]);
  });

  it("counts what is named, outside of a field's own filter too, and nothing else", async () => {
    await scenario.given(
      scenario.document({ id: "open", text: "harbour" }),
      scenario.document({ id: "closed", text: "harbour", access: {}, author: "Grace" }),
      scenario.document({ id: "unnamed", text: "harbour", author: "Mallory" }),
      scenario.document({ id: "elsewhere", datasource: "tickets", text: "harbour" }),
    );
    const { facets } = await under.past.searchAmong(
      request(
        "harbour",
        { wiki: ["open", "closed"], tickets: ["elsewhere"] },
        {
          filters: { ...noFilters, datasources: [{ datasource: "wiki", sub: null, childSub: null }] },
          facets: { fields: ["datasource", "author"], windows: [] },
        },
      ),
    );
    expect(facets).to.deep.equal({
      relation: "eq",
      counts: {
        datasource: [
          { value: "wiki", count: 2 },
          { value: "tickets", count: 1 },
        ],
        author: [
          { value: "Ada", count: 1 },
          { value: "Grace", count: 1 },
        ],
      },
    });
  });

  it("ranks and shows as an ordinary search does, over today's texts", async () => {
    await scenario.given(
      scenario.document({ id: "once", text: "a harbour among many other words of another kind" }),
      scenario.document({ id: "often", title: "Harbour", text: "harbour harbour pilots" }),
      scenario.document({ id: "changed", text: "harbour" }),
    );
    await scenario.given(scenario.document({ id: "changed", text: "lighthouse" }));
    const everything = { wiki: ["once", "often", "changed"] };
    expect(await under.past.searchAmong(request("harbour", everything))).to.deep.equal(
      await scenario.search("harbour"),
    );
    expect(await found("lighthouse", everything)).to.deep.equal(["wiki__changed"]);
  });

  it("filters and counts among what is named", async () => {
    const documents = Array.from({ length: 30 }, (_, index) =>
      scenario.document({ id: `d${index}`, text: "harbour", sub: index % 3 === 0 ? "guides" : null }),
    );
    await scenario.given(...documents);
    const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
    const page = await under.past.searchAmong(request("harbour", { wiki: ids }, { count: 5, startPage: 1 }));
    expect({ hits: page.hits.length, total: page.total, totalRelation: page.totalRelation }).to.deep.equal({
      hits: 5,
      total: 20,
      totalRelation: "eq",
    });
    const guides = { ...noFilters, datasources: [{ datasource: "wiki", sub: "guides", childSub: null }] };
    expect((await under.past.searchAmong(request("harbour", { wiki: ids }, { filters: guides }))).total).to.equal(7);
    const tickets = { ...noFilters, datasources: [{ datasource: "tickets", sub: null, childSub: null }] };
    expect((await under.past.searchAmong(request("harbour", { wiki: ids }, { filters: tickets }))).total).to.equal(0);
  });

  it("takes the documents of one registration of a name for those of no other", async () => {
    await scenario.given(scenario.document({ id: "plan", text: "harbour" }), scenario.datasourceDeleted("wiki"));
    await scenario.given(
      scenario.datasource({ name: "wiki", incarnation: "second" }),
      scenario.document({ id: "plan", incarnation: "second", text: "harbour" }),
    );
    expect(await found("harbour", { wiki: ["plan"] })).to.deep.equal([]);
    const second = [{ datasourceId: toDatasourceId("second"), documentIds: [toDocumentId("plan")] }];
    expect(await found("harbour", {}, { among: second })).to.deep.equal(["wiki__plan"]);
  });

  it("finds, for any documents that are named, those of them that hold the word", async () => {
    const ids = Array.from({ length: 24 }, (_, index) => `d${index}`);
    await scenario.given(
      ...ids.map((id, index) =>
        scenario.document({
          id,
          text: index % 2 === 0 ? "harbour" : "lighthouse",
          access: index % 5 === 0 ? {} : undefined,
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(ids), async (named) => {
        const holding = named.filter((id) => ids.indexOf(id) % 2 === 0).map((id) => `wiki__${id}`);
        const { hits, total } = await under.past.searchAmong(request("harbour", { wiki: named }));
        expect(hits.map(({ id }) => id).sort()).to.deep.equal(holding.sort());
        expect(total).to.equal(holding.length);
      }),
      propertyRuns(40),
    );
  });
}
