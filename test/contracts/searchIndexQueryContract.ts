import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** What matches a query: any of its words, in any of their forms; phrases and exclusions; beginnings; misspellings. */
export function searchIndexQueryContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const indexed = (texts: Readonly<Record<string, string>>) =>
    scenario.given(...Object.entries(texts).map(([id, text]) => scenario.document({ id, title: "Untitled", text })));

  it("finds documents that hold any of the words", async () => {
    await indexed({ one: "harbour", two: "lighthouse", neither: "mountain" });
    expect(await scenario.found("harbour lighthouse")).to.have.members(["one", "two"]);
  });

  it("counts every word, phrase and exclusion that the bounds allow", async () => {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_unused, n) => n);
    await indexed({ one: "harbour", last: "harbour w62 w63 wp stone p15 end" });
    expect(
      await scenario.found(
        numbers(64)
          .map((n) => `w${n}`)
          .join(" "),
      ),
    ).to.deep.equal(["last"]);
    const exclusions = numbers(16).map((n) => `-${n === 15 ? "WP" : `a${String.fromCharCode(97 + n)}`}`);
    expect(await scenario.found(`harbour ${exclusions.join(" ")}`)).to.deep.equal(["one"]);
    const phrases = [...numbers(15).map(() => '"stone p15"'), '"p15 nowhere"'];
    expect(await scenario.found(phrases.join(" "))).to.deep.equal([]);
  });

  it("demands phrases of as many words as they may have, and names in all of their parts", async () => {
    const letters = "abcdefghijklmnop";
    const words = Array.from({ length: 64 }, (_unused, n) => `stone${letters.charAt(n % 16)}${letters.charAt(n / 16)}`);
    const names = Array.from({ length: 16 }, (_unused, n) => `INC-${20_400 + n}`);
    await indexed({ whole: words.join(" "), shuffled: words.toReversed().join(" "), named: "INC-20407 and INC-20408" });
    expect(await scenario.found(`"${words.join(" ")}"`)).to.deep.equal(["whole"]);
    const quoted = words.slice(0, 32).map((word, n) => (n % 2 === 0 ? `"${word}` : `${word}"`));
    expect(await scenario.found(quoted.join(" "))).to.deep.equal(["whole"]);
    expect(await scenario.found(names.join(" "))).to.deep.equal(["named"]);
  });

  it("finds titles as well as texts", async () => {
    await scenario.given(scenario.document({ id: "titled", title: "Harbour rules", text: "nothing here" }));
    expect(await scenario.found("harbour")).to.deep.equal(["titled"]);
  });

  it("finds nothing where the query holds no word, and nothing where no word is known", async () => {
    await indexed({ one: "harbour" });
    expect(await scenario.found("?!")).to.deep.equal([]);
    expect(await scenario.found("qqqqqqqq")).to.deep.equal([]);
  });

  it("finds inflected forms, each document's in its own language", async () => {
    await indexed({
      german: "Die Verträge wurden von den Häusern gemeinsam unterschrieben und dann an die Behörde geschickt.",
      english: "The contracts were running for many years and nobody was ever asked about them.",
    });
    expect(await scenario.found("Vertrag")).to.deep.equal(["german"]);
    expect(await scenario.found("Haus")).to.deep.equal(["german"]);
    expect(await scenario.found("contract")).to.deep.equal(["english"]);
    expect(await scenario.found("run")).to.deep.equal(["english"]);
  });

  it("does not mind case, accents, umlauts and ß", async () => {
    await indexed({ one: "Die Straße nach Köln ist wegen der Café-Eröffnung gesperrt, und das bleibt so." });
    for (const query of ["strasse", "STRASSE", "Straße", "koeln", "köln", "koln", "cafe", "Café"]) {
      expect(await scenario.found(query), query).to.deep.equal(["one"]);
    }
  });

  it("leaves stop words out of a question unless nothing else is left", async () => {
    await indexed({ one: "the harbour", two: "the mountain and the sea" });
    expect(await scenario.found("where is the harbour?")).to.deep.equal(["one"]);
    expect(await scenario.found("the")).to.have.members(["one", "two"]);
  });

  it("demands quoted phrases, words adjacent and in order", async () => {
    await indexed({
      adjacent: "an old stone harbour",
      apart: "stone by stone the harbour grew",
      reversed: "harbour stone",
    });
    expect(await scenario.found('"stone harbour"')).to.deep.equal(["adjacent"]);
    expect(await scenario.found('grew "stone harbour"')).to.deep.equal(["adjacent"]);
    expect(await scenario.found('"stone harbour" "harbour stone"')).to.deep.equal([]);
  });

  it("leaves out what holds an excluded word or phrase", async () => {
    await indexed({ plain: "harbour", foggy: "harbour in fog", stone: "stone harbour" });
    expect(await scenario.found("harbour -fog")).to.have.members(["plain", "stone"]);
    expect(await scenario.found('harbour -"stone harbour"')).to.have.members(["plain", "foggy"]);
    expect(await scenario.found("harbour -fog -stone")).to.deep.equal(["plain"]);
    expect(await scenario.found('-"fog"')).to.deep.equal([]);
  });

  it("looks for an excluded word where nothing else is asked for", async () => {
    await indexed({ plain: "harbour", foggy: "harbour in fog" });
    expect(await scenario.found("-fog")).to.deep.equal(["foggy"]);
    expect(await scenario.found("harbour --fog")).to.deep.equal(["foggy", "plain"]);
  });

  it("takes the last word as the beginning of one, and only the last", async () => {
    await indexed({ one: "lighthouse keeper", two: "lightning" });
    expect(await scenario.found("ligh")).to.have.members(["one", "two"]);
    expect(await scenario.found("keep ligh")).to.have.members(["one", "two"]);
    expect(await scenario.found("ligh mountain")).to.deep.equal([]);
  });

  it("prefers the word itself to words that it begins", async () => {
    await indexed({ longer: "lighthouses", exact: "light", filler: "mountain", other: "sea" });
    expect(await scenario.found("light")).to.deep.equal(["exact", "longer"]);
  });

  it("finds the word that an unknown one is a misspelling of", async () => {
    await indexed({ one: "lighthouse", two: "mountain" });
    for (const query of ["lighthuose", "lihgthouse", "lighthousse", "lightouse", "moutain"]) {
      expect(await scenario.found(query), query).to.deep.equal([query.startsWith("l") ? "one" : "two"]);
    }
    expect(await scenario.found("lxghthxxse")).to.deep.equal([]);
  });

  it("finds a word of which two letters were left out, wherever they stood", async () => {
    await indexed({ agreement: "Geheimhaltungsvereinbarung", sign: "authentication", other: "mountain" });
    const agreement = ["Geheimhaltngsvereinbarug", "Geheimhltungsverinbarung", "Geheimhaltungsverenbarug"];
    for (const query of agreement) expect(await scenario.found(`${query}!`), query).to.deep.equal(["agreement"]);
    for (const query of ["authentcaton", "authenticaon"])
      expect(await scenario.found(`${query}!`), query).to.deep.equal(["sign"]);
  });

  it("corrects no word that the person's documents know well", async () => {
    await indexed({
      ...Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`form${n}`, "reform"])),
      other: "report",
    });
    expect(await scenario.found("reform please")).to.have.length(5);
  });

  it("takes no word that a document holds for a misspelling", async () => {
    const named = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, `a letter by ${name} here`]));
    await indexed({ ...named("ekvall", 1), ...named("ekwall", 3) });
    expect(await scenario.found("ekvall!")).to.deep.equal(["ekvall0"]);
    await indexed(named("ekwall", 40));
    const found = await scenario.found("ekvall!");
    expect(found).to.deep.equal(["ekvall0"]);
  });

  it("reads a rare word as a compound of two that the documents know", async () => {
    await indexed({
      contract: "Der Vertrag wurde von den beiden Seiten noch nicht unterschrieben.",
      work: "Die Arbeit ist getan und wir gehen nach Hause.",
      other: "Das Wetter ist schön.",
    });
    expect(await scenario.found("Arbeitsvertrag")).to.have.members(["contract", "work"]);
  });

  it("finds the parts of a written compound, neighbours first", async () => {
    await indexed({
      apart: "value of max, and of others far away from it, or min",
      together: "call max_value of others, it is far away, or min",
    });
    expect(await scenario.found("max_value!")).to.deep.equal(["together", "apart"]);
  });

  it("takes any text as a query", async () => {
    await indexed({ one: "harbour" });
    for (const query of [
      '"',
      '"harbour',
      "title:harbour",
      "{title}: harbour",
      "harbour AND OR NOT NEAR(",
      "harbour* ^harbour",
      "harb'our; --",
      "(harbour",
    ]) {
      expect(await scenario.search(query).then(({ total }) => total >= 0), query).to.equal(true);
    }
    expect(await scenario.found('"harbour')).to.deep.equal(["one"]);
    expect(await scenario.found("harbour AND (NOT")).to.deep.equal(["one"]);
  });
}
