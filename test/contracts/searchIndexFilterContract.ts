import { expect } from "chai";
import type { DatasourceFilter, SearchFilters } from "../../src/readModels/search.js";
import { noFilters, SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

const both = { registeredOn: ["wiki", "tickets"] };

/**
 * What the three filters let through (spec: Full-text search), and what datasource and property definitions do to them.
 */
export function searchIndexFilterContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(
      scenario.datasource({
        name: "wiki",
        subs: { team: ["north", "south"], board: ["north"] },
        searchable: ["colour"],
      }),
      scenario.datasource({ name: "tickets", subs: { team: [] } }),
    );
  });
  afterEach(() => scenario.close());

  const filtered = (filters: Partial<SearchFilters>) =>
    scenario.found("harbour", { as: both, filters: { ...noFilters, ...filters } });
  const within = (...entries: readonly (readonly [string, string?, string?])[]) =>
    filtered({
      datasources: entries.map(([datasource, sub = null, childSub = null]): DatasourceFilter => ({
        datasource,
        sub,
        childSub,
      })),
    });
  const inSub = (id: string, sub: string | null, childSub: string | null = null, datasource = "wiki") =>
    scenario.document({ id, sub, childSub, datasource, text: "harbour" });

  it("narrows to datasources, their subs and the subs' children; several entries are a union", async () => {
    await scenario.given(
      inSub("plain", null),
      inSub("team", "team"),
      inSub("north", "team", "north"),
      inSub("south", "team", "south"),
      inSub("other-north", "board", "north"),
      inSub("ticket", "team", null, "tickets"),
    );
    expect(await within(["wiki"])).to.have.members(["plain", "team", "north", "south", "other-north"]);
    expect(await within(["wiki", "team"])).to.have.members(["team", "north", "south"]);
    expect(await within(["wiki", "team", "north"])).to.deep.equal(["north"]);
    expect(await within(["wiki", "team", "north"], ["tickets"])).to.have.members(["north", "ticket"]);
    expect(await within(["wiki", "team"], ["wiki", "board", "north"])).to.have.members([
      "team",
      "north",
      "south",
      "other-north",
    ]);
    expect(await within(["wiki", "nowhere"], ["unknown"])).to.deep.equal([]);
    expect(await within()).to.deep.equal([]);
  });

  it("narrows to file types as the search names them", async () => {
    await scenario.given(
      scenario.document({ id: "pdf", fileType: "file", mimeType: "application/pdf", text: "harbour" }),
      scenario.document({ id: "readme", fileType: "markdown", text: "harbour" }),
      scenario.document({ id: "issue", fileType: "issue_parent", text: "harbour" }),
    );
    expect(await filtered({ fileTypes: ["pdf"] })).to.deep.equal(["pdf"]);
    expect(await filtered({ fileTypes: ["txt", "issue"] })).to.have.members(["readme", "issue"]);
    expect(await filtered({ fileTypes: [] })).to.deep.equal([]);
  });

  it("narrows to a window of time, ends included; a document without a date is in none", async () => {
    await scenario.given(
      ...["2024-01-01T00:00:00.000Z", "2024-01-02T01:00:00+01:00", "2024-01-03T00:00:00Z"].map((lastModified, n) =>
        scenario.document({ id: `day${n + 1}`, lastModified, text: "harbour" }),
      ),
      scenario.document({ id: "undated", lastModified: null, text: "harbour" }),
    );
    const day = (n: number) => Date.UTC(2024, 0, n);
    expect(await filtered({})).to.have.length(4);
    expect(await filtered({ modifiedFrom: day(2) })).to.have.members(["day2", "day3"]);
    expect(await filtered({ modifiedFrom: day(1), modifiedTo: day(2) })).to.have.members(["day1", "day2"]);
    expect(await filtered({ modifiedTo: day(1) - 1 })).to.deep.equal([]);
  });

  it("unbinds the documents of a removed sub, and does not bind them again when its key comes back", async () => {
    await scenario.given(inSub("old", "team", "north"), inSub("board", "board", "north"));
    await scenario.given(scenario.subRemoved("wiki", "team"));
    expect(await within(["wiki", "team"])).to.deep.equal([]);
    expect(await within(["wiki"])).to.have.members(["old", "board"]);
    expect((await scenario.search("harbour")).hits.find((hit) => hit.id === "wiki__old")).to.include({
      sub: null,
      childSub: null,
    });
    await scenario.given(scenario.subAdded("wiki", "team", null, ["north"]));
    expect(await within(["wiki", "team"])).to.deep.equal([]);
    await scenario.given(inSub("old", "team", "north"));
    expect(await within(["wiki", "team", "north"])).to.deep.equal(["old"]);
    expect(await within(["wiki", "board", "north"])).to.deep.equal(["board"]);
  });

  it("keeps a document in its sub when the child is removed, whatever the batches are", async () => {
    await scenario.given(
      inSub("a", "team", "north"),
      scenario.subRemoved("wiki", "north", "team"),
      inSub("b", "team", "north"),
    );
    expect(await within(["wiki", "team"])).to.have.members(["a", "b"]);
    expect(await within(["wiki", "team", "north"])).to.deep.equal([]);
    await scenario.given(scenario.subAdded("wiki", "north", "team"), inSub("c", "team", "north"));
    expect(await within(["wiki", "team", "north"])).to.deep.equal(["c"]);
  });

  it("binds a document to no sub that came later than its version, be it in one batch", async () => {
    await scenario.given(
      inSub("early", "team", "north"),
      scenario.subRemoved("wiki", "team"),
      scenario.subAdded("wiki", "team"),
      inSub("late", "team"),
    );
    expect(await within(["wiki", "team"])).to.deep.equal(["late"]);
    expect(await within(["wiki"])).to.have.members(["early", "late"]);
  });

  it("searches the values of searchable properties, as the datasource defines them now", async () => {
    const customProperties = [
      { name: "colour", value: "turquoise" },
      { name: "size", value: 4711 },
      { name: "ready", value: true },
    ];
    await scenario.given(
      scenario.document({ id: "thing", text: "harbour", customProperties }),
      scenario.document({ id: "plain", text: "harbour" }),
    );
    const finds = async () =>
      Promise.all(["turquoise", "4711"].map(async (query) => (await scenario.found(query)).length));
    expect(await finds()).to.deep.equal([1, 0]);
    await scenario.given(scenario.redefined("wiki", ["size"]));
    expect(await finds()).to.deep.equal([0, 1]);
    await scenario.given(scenario.redefined("wiki", ["colour", "size"]));
    expect(await finds()).to.deep.equal([1, 1]);
    expect(await scenario.found("harbour")).to.have.members(["thing", "plain"]);
  });

  it("searches author, file name and folders, lightly, and goes on doing so when properties change", async () => {
    const named = {
      ...{ id: "named", author: "Hedda Brunswig", path: "/contracts/Lease_Altenbrueck.pdf", pathPreview: null },
      customProperties: [{ name: "size", value: "gigantic" }],
    };
    const long = "Words of a long text that say nothing of a name. ".repeat(200);
    await scenario.given(
      scenario.document({ ...named, text: "harbour" }),
      scenario.document({ id: "long", author: "Wiebke Sandvoss", path: null, text: long }),
      scenario.document({
        id: "address",
        path: null,
        pathPreview: "https://example.org/x/Terms%202024.pdf",
        text: "x",
      }),
      scenario.document({ id: "agreed", title: "Contracts", author: null, path: null, text: "what was signed" }),
      scenario.document({ id: "titled", title: "Brunswig", author: null, path: null, text: "about the harbour" }),
    );
    const expectNames = async (): Promise<void> => {
      expect(await scenario.found("Brunswig")).to.deep.equal(["titled", "named"]);
      expect(await scenario.found("Lease_Altenbrueck.pdf")).to.include("named");
      expect((await scenario.found("Lease_Altenbrueck.pdf"))[0]).to.equal("named");
      expect(await scenario.found('"Hedda Brunswig"')).to.deep.equal(["named"]);
      expect(await scenario.found("sandvoss")).to.deep.equal(["long"]);
      expect((await scenario.found("Terms 2024"))[0]).to.equal("address");
      expect(await scenario.found("contracts")).to.deep.equal(["agreed", "named"]);
    };
    await expectNames();
    await scenario.given(scenario.redefined("wiki", ["size"]));
    expect(await scenario.found("gigantic")).to.deep.equal(["named"]);
    await expectNames();
  });

  it("re-projects more documents than one step takes", async () => {
    const customProperties = [{ name: "size", value: "gigantic" }];
    await scenario.given(
      ...Array.from({ length: 450 }, (_, n) => scenario.document({ id: `d${n}`, text: "harbour", customProperties })),
    );
    expect((await scenario.search("gigantic")).total).to.equal(0);
    await scenario.given(scenario.redefined("wiki", ["size"]));
    while ((await scenario.search("gigantic")).total < 450) await new Promise(setImmediate);
    expect((await scenario.search("harbour")).total).to.equal(450);
  });

  it("serves nothing of a deleted datasource, and a new incarnation of its name from nothing", async () => {
    await scenario.given(
      ...Array.from({ length: 450 }, (_, n) => inSub(`d${n}`, "team")),
      inSub("ticket", null, null, "tickets"),
    );
    await scenario.given(scenario.datasourceDeleted("wiki"));
    expect(await scenario.found("harbour", { as: both })).to.deep.equal(["ticket"]);
    await scenario.given(scenario.datasource({ name: "wiki", incarnation: "second" }));
    expect(await scenario.found("harbour", { as: both })).to.deep.equal(["ticket"]);
    await scenario.given(inSub("late", null));
    expect(await scenario.found("harbour", { as: both })).to.deep.equal(["ticket"]);
  });
}
