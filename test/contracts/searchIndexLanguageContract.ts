import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Of equal matches, those in the reader's language come first; nothing is found or lost by it. */
export function searchIndexLanguageContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({
        id: "german",
        title: "Gateway Nordstern",
        text: "Das Gateway Nordstern ist für alle da und wird von der Leitung am Abend gestartet.",
      }),
      scenario.document({
        id: "english",
        title: "Gateway Nordstern",
        text: "The gateway Nordstern is there for everybody and will be started by the team in the evening.",
      }),
      scenario.document({ id: "neither", title: "Gateway Nordstern", text: "Gateway Nordstern 2024" }),
      ...Array.from({ length: 12 }, (_, n) =>
        scenario.document({ id: `filler${n}`, title: "Note", text: "The harbour of the city is large." }),
      ),
    );
  });
  afterEach(() => scenario.close());

  const without = (id: string, ids: readonly string[]): readonly string[] => ids.filter((found) => found !== id);

  it("puts documents in the language that is asked for before equal ones in another", async () => {
    const inGerman = await scenario.found("Nordstern", { language: "de" });
    const inEnglish = await scenario.found("Nordstern", { language: "en" });
    expect(without("neither", inGerman)).to.deep.equal(["german", "english"]);
    expect(without("neither", inEnglish)).to.deep.equal(["english", "german"]);
  });

  it("tells the language by the query where none is asked for", async () => {
    const asksGerman = await scenario.found("Wann wird das Gateway Nordstern gestartet?");
    const asksEnglish = await scenario.found("When is the gateway Nordstern to be started?");
    expect(asksGerman.indexOf("german")).to.be.lessThan(asksGerman.indexOf("english"));
    expect(asksEnglish.indexOf("english")).to.be.lessThan(asksEnglish.indexOf("german"));
    const overruled = await scenario.found("gateway Nordstern for everybody", { language: "de" });
    expect(overruled).to.include.members(["german", "english"]);
  });

  it("prefers none where the query is too short to tell", async () => {
    await scenario.given(
      scenario.document({ id: "old", title: "Zwieback", text: "Das ist der Zwieback, und er ist für die Reise da." }),
      scenario.document({ id: "new", title: "Zwieback", text: "This is the Zwieback, and it is there for the trip." }),
    );
    const worth = async (query: string, language?: "de"): Promise<number> => {
      const { hits } = await scenario.search(query, { ...(language && { language }) });
      const scores = new Map(hits.map(({ id, score }) => [id, score]));
      return (scores.get("wiki__old") ?? 0) / (scores.get("wiki__new") ?? 0);
    };
    expect(await worth("Zwieback", "de")).to.be.greaterThan(1.2 * (await worth("Zwieback")));
  });

  it("finds and counts the same in every language, and what matches better stays first", async () => {
    await scenario.given(
      scenario.document({
        id: "better",
        title: "The Quaestor of Nordstern",
        text: "The quaestor of Nordstern, and who the quaestor is: this is about the quaestor.",
      }),
    );
    const [plain, german] = [
      await scenario.search("quaestor Nordstern"),
      await scenario.search("quaestor Nordstern", { language: "de" }),
    ];
    expect(german.hits[0]?.id).to.equal("wiki__better");
    expect(german.total).to.equal(plain.total);
    expect(german.hits.map(({ id }) => id)).to.have.members(plain.hits.map(({ id }) => id));
  });

  it("completes and corrects words of other scripts, by what the person may see", async () => {
    await scenario.given(
      scenario.document({ id: "lamp", title: "Notes", text: "лампочка перегорела" }),
      scenario.document({ id: "hidden", title: "Notes", text: "лампада погасла", access: {} }),
    );
    expect(await scenario.found("лампоч")).to.deep.equal(["lamp"]);
    expect(await scenario.found("лампочкка!")).to.deep.equal(["lamp"]);
    expect(await scenario.found("лампад")).to.deep.equal([]);
    expect(await scenario.suggested("лампо")).to.deep.equal(["лампочка"]);
  });
}
