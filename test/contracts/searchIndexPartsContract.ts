import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Parts in the middle of words, misspelled parts, and words that are written together or apart. */
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
  const english = (text: string): string => `${text} That is all there is to be said about it, and nothing more.`;
  const correctedIn = async (query: string) =>
    ((await scenario.search(query)).corrected ?? []).map(({ from, to }) => [from, to]);

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

  it("finds compounds by their heads, in whatever form, of any ending", async () => {
    await indexed({
      ending: german("Die Abschlussprüfungen sind im Mai."),
      house: german("Das Bettenhaus wird gestrichen."),
      calendar: german("Der Abfuhrkalender liegt im Foyer aus."),
      office: german("Die Großraumbüros sind zu laut."),
    });
    for (const query of ["Prüfung!", "Prüfungen!"])
      expect(await scenario.found(query), query).to.deep.equal(["ending"]);
    for (const query of ["Haus!", "Häuser!"]) expect(await scenario.found(query), query).to.deep.equal(["house"]);
    for (const query of ["Kalender!", "Kalendern!"])
      expect(await scenario.found(query), query).to.deep.equal(["calendar"]);
    expect(await scenario.found("Büro!")).to.deep.equal(["office"]);
  });

  it("finds compounds by short heads, where nothing else holds what is before the head", async () => {
    await indexed({
      car: german("Der Preis des Dienstwagens ist gestiegen."),
      office: german("Das Ordnungsamt hat heute geschlossen."),
      device: german("Der Apparat ist defekt."),
    });
    expect(await scenario.found("Wagen!")).to.deep.equal(["car"]);
    expect(await scenario.found("Amt!")).to.deep.equal(["office"]);
    expect(await scenario.found("Rat!")).to.deep.equal([]);
  });

  it("takes some stop words for what nouns are made of, and no others", async () => {
    await indexed({
      goods: german("Der Wareneingang ist im Hof."),
      swimmers: german("Das Nichtschwimmerbecken ist leer."),
      costs: german("Die Nebenkosten steigen."),
      under: german("Die Abteilung unter uns kann das nicht stellen."),
    });
    expect(await scenario.found("Eingang!")).to.deep.equal(["goods"]);
    expect(await scenario.found("Schwimmer!")).to.deep.equal(["swimmers"]);
    expect(await scenario.found("Kosten!")).to.deep.equal(["costs"]);
    expect(await scenario.found("unterstellen!")).to.deep.equal([]);
  });

  it("takes what follows a prefix, or stands there by chance, for no part", async () => {
    await indexed({
      administration: german("Das Verwaltungsgebäude steht am Fluss."),
      mirror: german("Die Spiegelreflexkamera ist teuer."),
    });
    expect(await scenario.found("Waltung!")).to.deep.equal([]);
    expect(await scenario.found("Igel!")).to.deep.equal([]);
  });

  it("finds a misspelled part of compounds that alone hold it, and says which", async () => {
    await indexed({
      head: german("Der Feuerlöscher hängt an der Wand."),
      beginning: german("Der Rufbereitschaftsplan gilt ab Montag."),
      long: german("Die Datenschutzfolgenabschätzung ist fertig."),
    });
    expect(await scenario.found("Löshcer")).to.deep.equal(["head"]);
    expect(await correctedIn("Löshcer")).to.deep.equal([["Löshcer", "Feuerlöscher"]]);
    expect(await scenario.found("Rufberetschft")).to.deep.equal(["beginning"]);
    expect(await scenario.found("Datenschutzfolgeabschätzung")).to.deep.equal(["long"]);
    expect(await scenario.found('"Löshcer"')).to.deep.equal([]);
  });

  it("corrects a word before it looks for a misspelled part", async () => {
    await indexed({
      word: german("Die Kaution ist gezahlt."),
      compound: german("Der Kautionsversicherer hat geschrieben."),
    });
    expect((await scenario.found("Kautoin!"))[0]).to.equal("word");
    expect(await correctedIn("Kautoin!")).to.deep.equal([["Kautoin", "Kaution"]]);
  });

  it("looks for no misspelled part where only what the person may not see holds it", async () => {
    await scenario.given(
      scenario.document({ id: "hidden", title: "-", text: german("Ein Feuerlöscher fehlt."), access: {} }),
      scenario.document({ id: "open", title: "-", text: german("Ein Helm fehlt.") }),
    );
    expect(await scenario.found("Löshcer")).to.deep.equal([]);
    expect(await correctedIn("Löshcer")).to.deep.equal([]);
  });

  it("reads compounds by words that the person may see, however many others begin alike", async () => {
    const hidden = [..."abcdefghijkl"].map((letter) =>
      scenario.document({ id: `hidden-${letter}`, title: "-", text: german(`Ein Werka${letter} fehlt.`), access: {} }),
    );
    await indexed({
      compound: german("Das Werkstor ist zu."),
      other: german("Der Werkzeugkasten ist weg."),
    });
    expect(await scenario.found("Tor!")).to.deep.equal(["compound"]);
    await scenario.given(...hidden);
    expect(await scenario.found("Tor!")).to.deep.equal(["compound"]);
  });

  it("chooses among compounds of equal worth by their letters, whoever has written them first", async () => {
    const compounds = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `Fe${letter}sicherungskonzept`);
    const [odd, even] = [1, 0].map((rest) => compounds.filter((_compound, index) => index % 2 === rest));
    const text = german([odd, even].flat().join(", "));
    await scenario.given(scenario.document({ id: "hidden", title: "-", text, access: {} }));
    await indexed(Object.fromEntries(compounds.map((compound) => [compound, german(`Das ${compound} liegt vor.`)])));
    const found = await scenario.found("Sicherung!", { count: 100 });
    expect(found).to.have.length.of.at.least(24);
    expect([...found].sort()).to.deep.equal(compounds.slice(0, found.length));
  });

  it("corrects two swapped letters and one more, and two errors before the last half of a word", async () => {
    await indexed({ one: english("The appraisals are in January."), two: english("See the accessibility checklist.") });
    expect(await scenario.found("aprasials")).to.deep.equal(["one"]);
    expect(await scenario.found("acessability")).to.deep.equal(["two"]);
  });

  it("finds two words by what is typed as one, where nothing holds that", async () => {
    await indexed({
      apart: english("The car park is closed on Monday."),
      one: english("The car is red."),
      other: english("The park is green."),
      list: english("A check of the list was made."),
    });
    expect(await scenario.found("carpark!")).to.deep.equal(["apart"]);
    await indexed({ closed: english("The checklist is long."), marked: english("The guest Wi-Fi is slow.") });
    expect(await scenario.found("checklist!")).to.deep.equal(["closed"]);
    expect(await scenario.found("guestwifi!")).to.deep.equal(["marked"]);
  });

  it("reads a word that nothing holds as a compound of two only where German documents hold both", async () => {
    await indexed({
      apart: english("The fuel card is in the glove box."),
      card: english("The card is lost, and the fuel is gone."),
      other: german("Die Karte ist weg."),
    });
    expect((await scenario.found("fuelcard!"))[0]).to.equal("apart");
  });

  it("puts documents first that have the two words in their titles", async () => {
    const titled = (id: string, title: string, text: string) => scenario.document({ id, title, text: english(text) });
    await scenario.given(
      titled("text", "Fire wardens", "They meet in the car park on Monday."),
      titled("title", "Car park", "It is closed on Monday, and on all other days it is open to everybody."),
    );
    expect(await scenario.found("carpark!")).to.deep.equal(["title", "text"]);
  });

  it("finds what is written as one by its two words first", async () => {
    await indexed({
      closed: english("Keep the vehicle logbook in the car, where everybody can find it at once."),
      apart: english("The log is kept. It is a book."),
      log: english("Log, log and log again."),
    });
    expect((await scenario.found("log book!")).slice(0, 2)).to.have.members(["closed", "apart"]);
    await indexed({ logs: english("The log of the day."), books: english("A book of the year.") });
    expect((await scenario.found("log book!")).slice(0, 2)).to.have.members(["closed", "apart"]);
  });

  it("meets the plural of words from elsewhere in German", async () => {
    await indexed({ many: german("Die Büros haben neue Laptops und zwei Kameras.") });
    for (const query of ["Büro!", "Laptop!", "Kamera!"])
      expect(await scenario.found(query), query).to.deep.equal(["many"]);
  });

  it("meets plurals of women in German, and those that turn an f into a v in English", async () => {
    await indexed({
      intern: german("Die Praktikantin sitzt im zweiten Stock."),
      shelf: english("The top shelf is for the loaf of bread."),
    });
    expect(await scenario.found("Praktikantinnen!")).to.deep.equal(["intern"]);
    for (const query of ["shelves!", "loaves!"]) expect(await scenario.found(query), query).to.deep.equal(["shelf"]);
    expect(await scenario.found("leave!")).to.deep.equal([]);
  });

  it("puts a compound of two words of the query before documents that hold one of them", async () => {
    await indexed({
      both: german("Das Datensicherungskonzept liegt im Keller."),
      first: german("Die Sicherung ist durchgebrannt, und zwar schon seit gestern."),
      second: german("Ein Konzept für den Garten steht aus, und zwar schon seit gestern."),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`other${n}`, german(`Der Brief Nr. ${n} ist da.`)])),
    });
    expect((await scenario.found("Konzept Sicherung!"))[0]).to.equal("both");
    expect((await scenario.found("Sicherung!"))[0]).to.equal("first");
  });
}
