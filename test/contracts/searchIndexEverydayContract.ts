import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** What people type besides questions: parts of words, names of code and files, numbers, options. */
export function searchIndexEverydayContract(open: () => Promise<SearchIndexUnderTest>): void {
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

  it("finds compounds by their head and by their beginning, after the word itself", async () => {
    await indexed({
      compound: german("Die Mietkaution wird nach dem Auszug überwiesen."),
      word: german("Eine Kaution wird nicht verlangt, und sonst auch nichts weiter."),
      other: german("Der Brandschutz wird jährlich geprüft."),
    });
    expect(await scenario.found("Kaution")).to.deep.equal(["word", "compound"]);
    expect(await scenario.found("Brand")).to.deep.equal(["other"]);
    expect(await scenario.found("Miete Brand")).to.include("other");
  });

  it("finds compounds by umlauts as two letters, and by plurals", async () => {
    await indexed({
      fee: german("Die Mahngebühr beträgt fünf Euro."),
      notice: german("Die Kündigungsfrist steht im Vertrag."),
      extinguisher: german("Der Feuerlöscher hängt im Flur."),
      typed: german("Die Bearbeitungsgebuehr entfällt."),
      delete: german("Alte Konten sind zu löschen."),
    });
    const expected: Readonly<Record<string, readonly string[]>> = {
      ...{ Gebuehr: ["fee", "typed"], Gebühr: ["fee", "typed"], Gebühren: ["fee", "typed"] },
      ...{ Kuendigungen: ["notice"], Kündigungen: ["notice"] },
    };
    for (const [query, ids] of Object.entries(expected)) {
      expect(await scenario.found(`${query}!`), query).to.have.members(ids);
      expect((await scenario.search(`${query}!`)).corrected, query).to.equal(undefined);
    }
    expect(await scenario.found("Loescher!")).to.include("extinguisher");
  });

  it("puts a compound of two words of the query before a text that holds one of them", async () => {
    await indexed({
      both: german("Der Urlaubsantrag ist beim Vorgesetzten einzureichen."),
      one: german("Urlaub am Meer war schön."),
      other: german("Das Urlaubsgeld kommt im Juni."),
    });
    for (const query of ["Urlaub Antrag", "Antrag Urlaub"])
      expect((await scenario.found(query))[0], query).to.equal("both");
  });

  it("takes no stop word and no prefix for a part of a word", async () => {
    await indexed({ night: german("Die Übernachtung ist bezahlt."), list: english("The checklist is long.") });
    expect(await scenario.found("Nacht!")).to.deep.equal([]);
    expect(await scenario.found("über Nacht!")).to.not.include("night");
    await indexed({ check: english("A check of the list was made.") });
    expect(await scenario.found("checklist")).to.deep.equal(["list"]);
  });

  it("finds names of code and files as a whole first, and by their parts", async () => {
    await indexed({
      code: english("Set retryBackoffMillis to 250 before it starts."),
      path: english("It is in /etc/nginx/conf.d/app.conf on each machine."),
      backup: english("See app.conf.bak."),
      incident: english("See INC-20411 for the whole story."),
      another: english("See INC-20412, and 20411 others."),
    });
    for (const query of ["retryBackoffMillis", "retrybackoffmillis", "retry backoff millis", "backoff"])
      expect(await scenario.found(query), query).to.deep.equal(["code"]);
    for (const query of ["app.conf", "/etc/nginx/conf.d/app.conf", "nginx"])
      expect((await scenario.found(query))[0], query).to.equal("path");
    expect((await scenario.found("INC-20411"))[0]).to.equal("incident");
    expect(await scenario.found("INC20411")).to.deep.equal(["incident"]);
    expect(await scenario.found("INC-99999")).to.deep.equal([]);
  });

  it("answers a query of more names than it looks for, by their words", async () => {
    await indexed({ code: english("Call alpha.beta first, and gamma later.") });
    const words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda"];
    const names = words.flatMap((first) => words.map((second) => `${first}.${second}.${words[0]}`));
    expect(await scenario.found(`${names.join(" ")} alpha.beta`)).to.deep.equal(["code"]);
  });

  it("meets other ways to write the same word or number", async () => {
    await indexed({
      encoding: english("The file is in UTF-8."),
      wireless: english("The Wi-Fi is open to guests."),
      mail: english("Write an e-mail to the desk."),
      amount: german("Es sind 4.860,20 Euro zu zahlen."),
      account: german("Die IBAN lautet DE44 9998 7712 0004 4710 83 bei der Bank."),
      home: german("Im Homeoffice gilt dieselbe Arbeitszeit."),
      language: english("It is written in C++ and C# alike."),
      letter: english("Bus line C runs on Sunday."),
    });
    const expected: Readonly<Record<string, string>> = {
      ...{ utf8: "encoding", wifi: "wireless", email: "mail", "E-Mail": "mail", "4860,20": "amount" },
      ...{ "4,860.20": "amount", DE44999877120004471083: "account", "DE44 9998 7712 0004 4710 83": "account" },
      ...{ "Home Office": "home", "Home-Office": "home", "C++": "language", "C#": "language" },
    };
    for (const [query, id] of Object.entries(expected)) expect((await scenario.found(query))[0], query).to.equal(id);
  });

  it("meets a name and its number, in one word or two", async () => {
    await indexed({
      norm: english("Audits follow ISO 9001 each spring."),
      desks: german("Für Briefe gilt die DIN 5008 und sonst nichts."),
      system: english("We moved every desk to Windows11 last year."),
      other: english("Nine windows were replaced, and ISO 27001 is next."),
    });
    expect(await scenario.found("ISO9001")).to.deep.equal(["norm"]);
    expect(await scenario.found("DIN5008")).to.deep.equal(["desks"]);
    expect((await scenario.found("Windows 11"))[0]).to.equal("system");
  });

  it("tells stop words in capitals from others, where hardly anything stands beside them", async () => {
    await indexed({
      pronoun: english("It rains, it snows, and it is cold."),
      department: english("Our IT answers calls from eight to six, and every other question of that kind as well."),
      office: english("The US office opens in May, and tells us more about everything else that is to be known."),
      us: english("Call us. Help us, and tell us."),
    });
    expect((await scenario.found("IT"))[0]).to.equal("department");
    expect((await scenario.found("US"))[0]).to.equal("office");
    expect((await scenario.found("it rains"))[0]).to.equal("pronoun");
    expect((await scenario.found("us"))[0]).to.equal("us");
    await scenario.given(scenario.document({ id: "joined", title: "-", text: german("Die IT-Abteilung hilft.") }));
    expect((await scenario.found("IT")).slice(0, 2)).to.have.members(["department", "joined"]);
  });

  it("demands what is quoted with its marks, and an account however it is grouped", async () => {
    await indexed({
      sharp: english("We look for a C# developer in Ulm."),
      plus: english("We look for a C++ developer in Bonn."),
      letter: english("We look for a C developer in Trier."),
      grouped: german("Bitte auf DE89 3704 0044 0532 0130 00 überweisen."),
      whole: german("Bitte auf DE89370400440532013000 zahlen."),
      terms: english("Our Terms and Conditions apply."),
      first: german("Beleg RE202400001234-01 liegt bei."),
      second: german("Beleg RE202400001234-02 liegt bei."),
      part: german("Am 01 beginnt der Monat."),
    });
    const expected: Readonly<Record<string, readonly string[]>> = {
      ...{ '"C#"': ["sharp"], '"C# developer"': ["sharp"], '"C++"': ["plus"], 'developer -"C#"': ["plus", "letter"] },
      ...{ '"DE89 3704 0044 0532 0130 00"': ["grouped", "whole"], '"DE89370400440532013000"': ["grouped", "whole"] },
      ...{ 'Bitte -"DE89 3704 0044 0532 0130 00"': [], '"TERMS AND CONDITIONS"': ["terms"] },
      ...{ "RE202400001234-01": ["first"] },
    };
    for (const [query, ids] of Object.entries(expected))
      expect(await scenario.found(query), query).to.have.members(ids);
    expect((await scenario.found("C#-developer"))[0]).to.equal("sharp");
  });

  it("excludes what meets the word that is excluded", async () => {
    await indexed({
      lorry: german("Lieferung mit LKW."),
      mail: german("Lieferung per E-Mail."),
      post: german("Lieferung per Post."),
    });
    for (const query of ["Lieferung -lkw", "Lieferung -LKW"])
      expect(await scenario.found(query), query).to.have.members(["mail", "post"]);
    for (const query of ["Lieferung -E-Mail", "Lieferung -email", 'Lieferung -"email"'])
      expect(await scenario.found(query), query).to.have.members(["lorry", "post"]);
  });

  it("keeps versions apart that have the same digits", async () => {
    await indexed({ right: english("Version 4.12.3 is out."), wrong: english("Version 4.1.23 is out.") });
    expect(await scenario.found("4.12.3")).to.deep.equal(["right"]);
    expect(await scenario.found("4.12")).to.deep.equal(["right"]);
  });

  it("leaves out documents that hold one common word of many", async () => {
    const fillers = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [
        `filler${n}`,
        english(`Harbour ${["wall", "boat", "crane", "rope"][n % 4]}.`),
      ]),
    );
    await indexed({ ...fillers, answer: english("Fees of the harbour for visiting yachts in winter.") });
    expect(await scenario.found("harbour fees visiting yachts winter")).to.deep.equal(["answer"]);
    expect(await scenario.found("harbour fees")).to.have.length(9);
    expect(await scenario.found("guitar piano drum lessons harbour")).to.deep.equal([]);
    expect(await scenario.found("guitar piano yachtz lessons!")).to.deep.equal([]);
    expect(await scenario.found("fees yachtz wintr visiting!")).to.deep.equal(["answer"]);
  });

  it("says what it took a word for that nothing holds, and nothing of a quoted one", async () => {
    await indexed({ one: english("The lighthouse is white."), other: german("Der Löscher hängt an der Wand.") });
    const { corrected } = await scenario.search("lighthuose Loscherr!");
    expect(corrected?.map(({ from, to }) => [from, to])).to.deep.equal([
      ["lighthuose", "lighthouse"],
      ["Loscherr", "Löscher"],
    ]);
    expect((await scenario.search("lighthouse")).corrected).to.equal(undefined);
    expect(await scenario.found('"lighthuose"')).to.deep.equal([]);
  });

  it("says it as most documents of the page write it, with what joins its words", async () => {
    await indexed({
      one: german("Das Büro liegt in Baden-Württemberg."),
      two: german("Die Feiertage von Baden-Württemberg gelten auch dort, und Müller-Lüdenscheidt ist Leiter."),
    });
    const corrected = async (query: string) => ((await scenario.search(query)).corrected ?? []).map(({ to }) => to);
    expect(await corrected("badenwürtemberg!")).to.deep.equal(["Baden-Württemberg"]);
    expect(await corrected("müllerlüdenscheid!")).to.deep.equal(["Müller-Lüdenscheidt"]);
  });

  it("takes short words of many for no others, and none for a part of a compound", async () => {
    await indexed({
      one: english("The king binds books about every lighthouse that he can find."),
      other: german("Der Feuerlöscher hängt an der Wand."),
    });
    const corrected = async (query: string) => ((await scenario.search(query)).corrected ?? []).map(({ from }) => from);
    expect(await corrected("kinb lighthuose!")).to.deep.equal(["kinb", "lighthuose"]);
    expect(await corrected("which kinb of books holds every lighthuose!")).to.deep.equal(["lighthuose"]);
    expect(await corrected("Löshcer Wand hängt!")).to.deep.equal(["Löshcer"]);
    expect(await corrected("Löshcer Wand hängt Helm!")).to.deep.equal([]);
  });

  it("lets no word that the person may not see take the place of one that she may", async () => {
    const letters = [..."bcdfghklmnprstvw"];
    const before = letters.flatMap((first) => letters.slice(0, 6).map((last) => `${first}o${last}`));
    const hidden = german(before.flatMap((part) => [`${part}kaution`, `kaution${part}o`]).join(" "));
    await scenario.given(
      scenario.document({ id: "hidden", title: "-", text: hidden, access: {} }),
      scenario.document({ id: "ending", title: "-", text: german("Die Sicherheitskaution liegt bei der Bank.") }),
      scenario.document({ id: "beginning", title: "-", text: german("Der Kautionsversicherer hat gezahlt.") }),
    );
    expect(await scenario.found("Kaution!")).to.have.members(["ending", "beginning"]);
  });

  it("proposes nothing that stands only in what the person may not see", async () => {
    await scenario.given(
      scenario.document({ id: "hidden", title: "-", text: german("Die Mietkaution liegt bei der Bank."), access: {} }),
    );
    expect(await scenario.found("Kaution")).to.deep.equal([]);
    expect((await scenario.search("Mietkautoin!")).corrected).to.equal(undefined);
  });
}
