import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Hits in the order in which they were modified. */
export function searchIndexOrderContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const sort = "last_modified";

  it("puts what was modified last first, whatever it scores, and what has no time last", async () => {
    await scenario.given(
      scenario.document({ id: "undated", text: "harbour", lastModified: null }),
      scenario.document({ id: "ancient", text: "harbour", lastModified: "1969-07-20T20:17:00Z" }),
      scenario.document({ id: "newest", text: "the harbour, once", lastModified: "2025-01-01T00:00:00Z" }),
      scenario.document({
        id: "best",
        title: "Harbour",
        text: "harbour harbour",
        lastModified: "2024-01-01T00:00:00Z",
      }),
      scenario.document({ id: "other", text: "lighthouse", lastModified: "2026-01-01T00:00:00Z" }),
      scenario.document({ id: "late", text: "harbour", lastModified: null }),
    );
    expect(await scenario.found("harbour", { sort })).to.deep.equal(["newest", "best", "ancient", "late", "undated"]);
    expect((await scenario.found("harbour", { sort: "relevance" }))[0]).to.equal("best");
  });

  it("tells of equal times the newer first, and its pages fit together", async () => {
    const ids = Array.from({ length: 45 }, (_, n) => `d${n}`);
    await scenario.given(
      ...ids.map((id, n) =>
        scenario.document({
          id,
          text: "harbour",
          lastModified: n % 3 === 0 ? null : `2024-01-0${1 + (n % 2)}T00:00:00Z`,
        }),
      ),
    );
    const whole = await scenario.found("harbour", { sort });
    const time = (id: string): number => (Number(id.slice(1)) % 3 === 0 ? 0 : 1 + (Number(id.slice(1)) % 2));
    const expected = ids.toSorted((a, b) => time(b) - time(a) || Number(b.slice(1)) - Number(a.slice(1)));
    expect(whole).to.deep.equal(expected);
    const pages = await Promise.all(
      [0, 1, 2, 3].map((startPage) => scenario.found("harbour", { sort, count: 20, startPage })),
    );
    expect(pages.flat()).to.deep.equal(whole);
  });

  it("keeps one order over phrases that read differently in two languages", async () => {
    await scenario.given(
      ...Array.from({ length: 12 }, (_, n) =>
        scenario.document({
          id: `d${n}`,
          text:
            n % 2 === 0
              ? "This is a text about the house and the running contracts of it"
              : "Das ist ein Text über das Haus und die running contracts, die nicht gelten",
          lastModified: `2024-02-${String(28 - n).padStart(2, "0")}T00:00:00Z`,
        }),
      ),
    );
    const pages = await Promise.all(
      [0, 1, 2].map((startPage) => scenario.found('"running contracts"', { sort, count: 5, startPage })),
    );
    expect(pages.flat()).to.deep.equal(Array.from({ length: 12 }, (_, n) => `d${n}`));
  });

  it("follows filters, and what the person may see", async () => {
    await scenario.given(
      scenario.document({ id: "hidden", text: "harbour", access: { groups: ["board"] } }),
      scenario.document({ id: "issue", text: "harbour", fileType: "issue" }),
      scenario.document({ id: "page", text: "harbour" }),
    );
    const filters = { datasources: null, fileTypes: ["page" as const], modifiedFrom: null, modifiedTo: null };
    expect(await scenario.found("harbour", { sort, filters })).to.deep.equal(["page"]);
  });
}
