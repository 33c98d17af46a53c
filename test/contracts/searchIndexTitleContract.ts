import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** A title that is the query comes first, then titles that begin with it, however common their words are. */
export function searchIndexTitleContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const titled = (id: string, title: string, text = "nothing here") =>
    scenario.document({ id, title, text, author: null, path: null, pathPreview: null });

  const given = (): Promise<void> =>
    scenario.given(
      titled("is", "Travel Expenses"),
      titled("begins", "Travel expenses of guests"),
      titled("holds", "The travel expenses"),
      titled("mixed", "Expenses, travel"),
      titled("repeats", "Notes", "travel expenses ".repeat(30)),
      ...Array.from({ length: 250 }, (_, n) =>
        titled(`other${n}`, "Monthly notes", "travel and expenses, and again travel expenses"),
      ),
    );

  it("puts the title that is the query first, then those that begin with it", async () => {
    await given();
    const found = await scenario.found("travel expenses", { count: 10 });
    expect(found.slice(0, 2)).to.deep.equal(["is", "begins"]);
    expect((await scenario.found("Travel expenses of", { count: 10 }))[0]).to.equal("begins");
    expect((await scenario.search("travel expenses")).total).to.equal(255);
  });

  it("does not mind case, punctuation and umlauts", async () => {
    await scenario.given(
      titled("loud", "ÜBERSICHT: Größen"),
      ...Array.from({ length: 30 }, (_, n) => titled(`other${n}`, "Liste", "Übersicht Größen Übersicht Größen")),
    );
    for (const query of ["Übersicht Größen", "uebersicht, groessen", "ubersicht grössen?"])
      expect((await scenario.found(query))[0], query).to.equal("loud");
  });

  it("puts titles first that begin with what is being typed, from two words on", async () => {
    await given();
    for (const query of ["travel exp", "Travel expenses of", "travel expense"])
      expect((await scenario.found(query, { count: 10 }))[0], query).to.be.oneOf(["is", "begins"]);
    await scenario.given(
      titled("typed", "How to hand in every receipt of yours"),
      ...Array.from({ length: 8 }, (_, n) =>
        titled(`receipt${n}`, "Receipts", "how to hand in every receipt, how to hand it in"),
      ),
    );
    for (const query of ["how to hand i", "how to hand in ev", "how to hand in every rec"])
      expect((await scenario.found(query, { count: 10 }))[0], query).to.equal("typed");
  });

  it("takes no title for one that has another mark", async () => {
    await scenario.given(
      titled("net", "Net salaries"),
      titled("dotnet", "How we migrate", "We move everything to .NET and C# in spring"),
      titled("cpp", "C++ guide"),
      titled("csharp", "C# guide"),
    );
    expect((await scenario.found(".NET"))[0]).to.equal("dotnet");
    expect((await scenario.found("C#")).slice(0, 2)).to.deep.equal(["csharp", "dotnet"]);
    expect((await scenario.found("Net"))[0]).to.equal("net");
  });

  it("pages through everything once", async () => {
    await given();
    const whole = await scenario.found("travel expenses");
    const pages = [];
    for (let startPage = 0; startPage < 4; startPage++)
      pages.push(...(await scenario.found("travel expenses", { count: 25, startPage })));
    expect(pages).to.deep.equal(whole);
    const third = await scenario.found("travel expenses", { count: 100, startPage: 2 });
    expect(new Set([...whole, ...third])).to.have.property("size", whole.length + third.length);
  });

  it("puts nothing first that is not shown", async () => {
    await given();
    await scenario.given(
      ...Array.from({ length: 120 }, (_, n) =>
        scenario.document({ id: `secret${n}`, title: "Travel expenses", text: "x", access: { anonymous: false } }),
      ),
    );
    expect((await scenario.found("travel expenses", { count: 10 })).slice(0, 2)).to.deep.equal(["is", "begins"]);
    expect(await scenario.found("travel expenses -guests", { count: 10 })).not.to.include("begins");
  });
}
