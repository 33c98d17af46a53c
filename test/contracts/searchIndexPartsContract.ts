import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Parts in the middle of words, and plurals that stems have to meet. */
export function searchIndexPartsContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const indexed = (texts: Readonly<Record<string, string>>) =>
    scenario.given(...Object.entries(texts).map(([id, text]) => scenario.document({ id, title: "-", text })));
  const german = (text: string): string => `${text} Das ist alles, was dazu noch zu sagen ist, und mehr nicht.`;

  it("finds compounds by a part in their middle, after the word itself", async () => {
    await indexed({
      middle: german("Das Datensicherungskonzept liegt im Keller."),
      word: german("Die Sicherung ist durchgebrannt, und zwar schon seit gestern."),
      other: german("Der Wellendichtungssatz passt nicht."),
    });
    expect(await scenario.found("Sicherung")).to.deep.equal(["word", "middle"]);
    expect(await scenario.found("Dichtungen!")).to.deep.equal(["other"]);
    expect((await scenario.search("Dichtung!")).corrected).to.equal(undefined);
  });

  it("takes what follows a prefix, or stands there by chance, for no part", async () => {
    await indexed({
      administration: german("Das Verwaltungsgebäude steht am Fluss."),
      mirror: german("Die Spiegelreflexkamera ist teuer."),
    });
    expect(await scenario.found("Waltung!")).to.deep.equal([]);
    expect(await scenario.found("Igel!")).to.deep.equal([]);
  });

  it("meets the plural of words from elsewhere in German", async () => {
    await indexed({ many: german("Die Büros haben neue Laptops und zwei Kameras.") });
    for (const query of ["Büro!", "Laptop!", "Kamera!"])
      expect(await scenario.found(query), query).to.deep.equal(["many"]);
  });
}
