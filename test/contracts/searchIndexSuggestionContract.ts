import { expect } from "chai";
import { toEmail } from "../../src/shared/ids.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** What is suggested while a search is typed. */
export function searchIndexSuggestionContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const ada = toEmail("ada@example.org");

  it("suggests titles that begin with what was typed, then those that hold it, the newer first", async () => {
    await scenario.given(
      scenario.document({ id: "inside", title: "Guide to travelling" }),
      scenario.document({ id: "older", title: "Travel expenses" }),
      scenario.document({ id: "newer", title: "Travel insurance" }),
      scenario.document({ id: "other", title: "Holidays" }),
    );
    expect((await scenario.suggest("trav")).filter(({ kind }) => kind === "title")).to.deep.equal([
      { text: "Travel insurance", kind: "title", id: "wiki__newer" },
      { text: "Travel expenses", kind: "title", id: "wiki__older" },
      { text: "Guide to travelling", kind: "title", id: "wiki__inside" },
    ]);
  });

  it("demands all words that were typed, in any order, the last one as a beginning", async () => {
    await scenario.given(
      scenario.document({ id: "a", title: "Expenses of travel abroad" }),
      scenario.document({ id: "b", title: "Travel abroad" }),
      scenario.document({ id: "c", title: "Travelling expenses" }),
    );
    expect(await scenario.suggested("travel exp")).to.deep.equal(["Expenses of travel abroad", "travel expenses"]);
    expect(await scenario.suggested("travel ")).to.deep.equal(["Travel abroad", "Expenses of travel abroad"]);
    expect(await scenario.suggested("expenses travel a")).to.include("Expenses of travel abroad");
  });

  it("suggests a title of a single letter's beginning, and once where several documents have it", async () => {
    await scenario.given(
      scenario.document({ id: "a", title: "Weekly report" }),
      scenario.document({ id: "b", title: "Weekly report" }),
      scenario.document({ id: "c", title: "weekly Report" }),
    );
    expect(await scenario.suggest("w")).to.deep.equal([{ text: "weekly Report", kind: "title", id: "wiki__c" }]);
  });

  it("completes the last word as most documents write it, and keeps the words before it", async () => {
    await scenario.given(
      scenario.document({ id: "1", text: "Der Urlaubsantrag ist zu stellen, bevor der Urlaub beginnt." }),
      scenario.document({ id: "2", text: "Ein Urlaubsantrag muss unterschrieben sein." }),
      scenario.document({ id: "3", text: "Die Urlaubszeit ist kurz." }),
    );
    expect(await scenario.suggest("urlaubs")).to.deep.equal([
      { text: "Urlaubsantrag", kind: "word", id: null },
      { text: "Urlaubszeit", kind: "word", id: null },
    ]);
    expect(await scenario.suggested("Bitte: urlaubsa")).to.deep.equal(["Bitte: Urlaubsantrag"]);
    expect(await scenario.suggested("urlaubsantrag")).to.deep.equal([]);
    expect(await scenario.suggested("urlaubs ")).to.deep.equal([]);
  });

  it("prefers words of documents that hold the words before, and still completes others", async () => {
    await scenario.given(
      scenario.document({ id: "1", text: "budget planning" }),
      scenario.document({ id: "2", text: "plants in the garden" }),
      scenario.document({ id: "3", text: "plants on the roof" }),
    );
    expect(await scenario.suggested("pla")).to.deep.equal(["plants", "planning"]);
    expect(await scenario.suggested("budgets pla")).to.deep.equal(["budgets planning", "budgets plants"]);
  });

  it("reads umlauts, their digraphs, accents and case alike", async () => {
    await scenario.given(
      scenario.document({ id: "a", title: "Müllabfuhr", text: "Café" }),
      scenario.document({ id: "b", title: "Der Muellplatz" }),
      scenario.document({ id: "c", title: "Posten" }),
    );
    for (const typed of ["mül", "MÜLL", "muel", "Muell", "mull"])
      expect(await scenario.suggested(typed), typed).to.deep.equal([
        "Müllabfuhr",
        "Der Muellplatz",
        ...(typed === "mull" ? [] : ["Muellplatz"]),
      ]);
    expect(await scenario.suggested("caf")).to.deep.equal(["Café"]);
    expect(await scenario.suggested("poe")).to.deep.equal([]);
  });

  it("suggests titles in scripts without spaces from their first character on", async () => {
    await scenario.given(scenario.document({ id: "a", title: "東京タワー" }));
    for (const typed of ["東", "東京", "東京タ"])
      expect(await scenario.suggested(typed), typed).to.deep.equal(["東京タワー"]);
  });

  it("suggests nothing of documents that the person cannot see", async () => {
    await scenario.given(
      scenario.document({ id: "hers", title: "Merger plans", text: "acquisition", access: { users: [ada] } }),
      scenario.document({ id: "own", title: "Meeting", text: "acquaintances" }),
    );
    expect(await scenario.suggested("me")).to.deep.equal(["Meeting"]);
    expect(await scenario.suggested("acq")).to.deep.equal(["acquaintances"]);
    expect(await scenario.suggested("me", { as: { registeredOn: [] } })).to.deep.equal([]);
    expect(await scenario.suggested("me", { as: { email: ada } })).to.deep.equal(["Meeting", "Merger plans", "Merger"]);
    expect(await scenario.suggested("acq", { as: { email: ada } })).to.have.members(["acquaintances", "acquisition"]);
  });

  it("forgets what was deleted or renamed, and datasources that are gone", async () => {
    await scenario.given(
      scenario.document({ id: "a", title: "Zeppelin", text: "zeppelins" }),
      scenario.document({ id: "b", title: "Zebra", text: "zebras" }),
    );
    await scenario.given(scenario.deleted("a"), scenario.document({ id: "b", title: "Zucchini", text: "vegetables" }));
    expect(await scenario.suggested("ze")).to.deep.equal([]);
    expect(await scenario.suggested("zu")).to.deep.equal(["Zucchini"]);
    await scenario.given(scenario.datasourceDeleted("wiki"));
    expect(await scenario.suggested("zu")).to.deep.equal([]);
  });

  it("keeps titles where a datasource's searchable properties change", async () => {
    await scenario.given(
      scenario.document({ id: "a", title: "Painting", customProperties: [{ name: "colour", value: "crimson" }] }),
    );
    await scenario.given(scenario.redefined("wiki", ["colour"]));
    expect(await scenario.suggested("pain")).to.deep.equal(["Painting"]);
  });

  it("gives no more than were asked for, half of them words where there are so many", async () => {
    await scenario.given(
      ...["a", "b", "c", "d"].map((id) =>
        scenario.document({ id, title: `Order ${id}`, text: `orders${id} ordering${id}` }),
      ),
    );
    const kinds = (await scenario.suggest("ord", { count: 5 })).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(["title", "title", "title", "word", "word"]);
    expect((await scenario.suggest("ord", { count: 1 })).map(({ kind }) => kind)).to.deep.equal(["title"]);
  });

  it("completes names, addresses, versions and numbers as documents write them, however many words they are of", async () => {
    const written: readonly (readonly [text: string, ...typed: readonly string[]])[] = [
      ["anna.berg@firma.de", "ann", "Anna", "anna.", "anna.b", "anna.berg@", "annab", "Fragen an anna.berg@f"],
      ["Müller-Lüdenscheidt", "mül", "muel", "Müller-", "müller-lü", "mullerl"],
      ["v1.2.3", "v1", "v1.", "v1.2", "v1.2."],
      ["prod-db-01", "pro", "prod-", "prod-d", "prod-db-0", "proddb"],
      ["getUserName", "get", "getU", "getuser"],
      ["bericht_final_v2.docx", "ber", "bericht_", "bericht_final_v2.d"],
      ["10.000", "10", "10.", "10.0"],
      ["https://wiki.firma.de/urlaub", "htt", "https", "https://", "https://wi", "https://wiki.firma.de/"],
      ["030 901820", "030", "0309"],
    ];
    const everything = written.map(([text]) => text).join(" ");
    for (const [index, [text]] of written.entries())
      await scenario.given(scenario.document({ id: `${index}`, title: `Nr. ${text}`, text: `Siehe ${text} (neu).` }));
    for (const [text, ...typed] of written)
      for (const query of typed) {
        const words = (await scenario.suggest(query)).flatMap(({ kind, text: told }) =>
          kind === "word" ? [told] : [],
        );
        const before = query.startsWith("Fragen an ") ? "Fragen an " : "";
        expect(words, query).to.include(before + text);
        for (const word of words) expect(everything, query).to.include(word.slice(before.length));
      }
  });

  it("completes a word in the form that most of the person's documents write", async () => {
    const given = (id: string, text: string, access?: { readonly users: readonly (typeof ada)[] }) =>
      scenario.given(scenario.document({ id, title: "Regel", text, ...(access && { access }) }));
    await given("1", "Home-Office");
    await given("2", "Homeoffice");
    await given("3", "Home-Office");
    await given("4", "HomeOffice HomeOffice HomeOffice", { users: [ada] });
    expect(await scenario.suggested("homeo")).to.deep.equal(["Home-Office"]);
    expect(await scenario.suggested("homeo", { as: { email: ada } })).to.deep.equal(["HomeOffice"]);
  });

  it("completes the last word alone where nothing is written like all of it", async () => {
    await scenario.given(scenario.document({ id: "1", text: "Der Urlaub und der Anspruch" }));
    expect(await scenario.suggested("Anspruch/Url")).to.deep.equal(["Anspruch/Urlaub"]);
  });

  it("suggests nothing for what holds no word", async () => {
    await scenario.given(scenario.document({ id: "a", title: "Anything" }));
    for (const typed of ["", "  ", "?!", '"', "-"]) expect(await scenario.suggested(typed), typed).to.deep.equal([]);
  });
}
