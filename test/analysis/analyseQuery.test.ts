import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { analyseQuery, toldOf } from "../../src/analysis/analyseQuery.js";
import { excessOf } from "../../src/analysis/queryBounds.js";
import { joinedTermsOf } from "../../src/analysis/words.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { languageText } from "./texts.js";

const wordsOf = (query: string): readonly string[] => analyseQuery(query).words.map(({ word }) => word);
const firstSequences = (
  phrases: readonly { readonly sequences: readonly (readonly string[])[] }[],
): readonly string[] => phrases.map((phrase) => (phrase.sequences[0] ?? []).join(" "));
function bodyOf(text: string): string {
  const { body, language } = analyseDocument({ title: "", texts: [text] });
  return joinedTermsOf(body, language);
}
const termsOf = (text: string): ReadonlySet<string> => new Set(bodyOf(text).split(" ").filter(Boolean));

/** Some words of the text as they stand in it, between blanks, with nothing that a query reads as a sign. */
function chunk(text: string, from: number, length: number): string {
  const parts = text
    .replaceAll(/["„“”«»]/g, " ")
    .trim()
    .split(/\s+/u);
  const start = from % parts.length;
  return parts
    .slice(start, start + length)
    .map((part) => part.replace(/^-+/, ""))
    .join(" ");
}

describe("a query's analysis", () => {
  it("accepts any text, within its bounds", () => {
    fc.assert(
      fc.property(fc.oneof(languageText, fc.string({ unit: "binary", maxLength: 300 })), (query) => {
        const { words, phrases, compounds, excluded } = analyseQuery(query);
        expect(words.length).to.be.at.most(64);
        expect(words.filter(({ terms }) => terms.length === 0)).to.deep.equal([]);
        expect(
          [...phrases, ...compounds, ...excluded].filter(({ sequences }) =>
            sequences.some((sequence) => sequence.length === 0),
          ),
        ).to.deep.equal([]);
      }),
      propertyRuns(500),
    );
  });

  it("bounds what it makes of very long input", () => {
    const { words, phrases } = analyseQuery(Array.from({ length: 5_000 }, (_unused, at) => `"w${at}"`).join(" "));
    expect(words.length).to.equal(64);
    expect(phrases).to.deep.equal([]);
    expect(analyseQuery('"'.repeat(10_000)).words).to.deep.equal([]);
    expect(analyseQuery("-".repeat(10_000)).words).to.deep.equal([]);
  });

  it("bounds what it makes of names that share few words, and leaves none of these words out", () => {
    const syllables = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj", "kk"];
    const pairs = syllables.flatMap((first) => syllables.map((second) => [first, second]));
    for (const joint of [".", "-", "_"]) {
      const query = pairs.map((pair) => pair.join(joint)).join(" ");
      const { words, names, joined } = analyseQuery(query);
      expect(words).to.have.length(syllables.length);
      expect(names.length).to.be.at.most(16);
      expect(joined.length).to.be.at.most(16);
      expect(names.flatMap(({ parts }) => parts).length).to.be.at.most(48);
      for (const { word, isPartOfName } of words)
        expect(!isPartOfName || names.some(({ parts }) => parts.some((part) => part.word === word))).to.equal(true);
    }
    expect(
      analyseQuery(pairs.map((pair) => pair.join(".")).join(" ")).words.some((word) => !word.isPartOfName),
    ).to.equal(true);
  });

  it("keeps the words of a name of which the first token says nothing", () => {
    expect(analyseQuery("\u0301.foo.bar").names.map(({ parts }) => parts.map(({ word }) => word))).to.deep.equal([
      ["foo", "bar"],
    ]);
  });

  it("shares a term with every document that holds its words, whatever languages were told", () => {
    fc.assert(
      fc.property(languageText, fc.nat(), fc.integer({ min: 1, max: 4 }), (text, from, length) => {
        const query = chunk(text, from, length);
        fc.pre(termsOf(query).size > 0);
        const terms = termsOf(text);
        expect(
          analyseQuery(query).words.some((word) => word.terms.some((term) => terms.has(term))),
          query,
        ).to.equal(true);
      }),
      propertyRuns(500),
    );
  });

  it("finds a document by any chunk of it in quotes", () => {
    fc.assert(
      fc.property(languageText, fc.nat(), fc.integer({ min: 1, max: 6 }), (text, from, length) => {
        const quoted = chunk(text, from, length);
        const body = ` ${bodyOf(text)} `;
        for (const { sequences } of analyseQuery(`"${quoted}"`).phrases) {
          expect(
            sequences.some((sequence) => body.includes(` ${sequence.join(" ")} `)),
            `"${quoted}" in ${body}`,
          ).to.equal(true);
        }
      }),
      propertyRuns(500),
    );
  });

  it("leaves stop words out, unless nothing else is left", () => {
    expect(wordsOf("Wie viele Punkte gab die Verteidigung der Panthers ab?")).to.deep.equal([
      "punkte",
      "gab",
      "verteidigung",
      "panthers",
    ]);
    expect(wordsOf("How many points did the Panthers defense surrender?")).to.deep.equal([
      "points",
      "panthers",
      "defense",
      "surrender",
    ]);
    expect(wordsOf("to be or not to be")).to.deep.equal(["to", "be", "or", "not"]);
    expect(wordsOf("der die das")).to.deep.equal(["der", "die", "das"]);
  });

  it("tells the reader's language where the query holds enough of it, and not by a word or two", () => {
    const told = (query: string): string | null => analyseQuery(query).askedIn;
    expect(["Wie beantrage ich Urlaub?", "Antrag auf Elternzeit"].map(told)).to.deep.equal(["de", "de"]);
    expect(["How do I request vacation?", "request for parental leave"].map(told)).to.deep.equal(["en", "en"]);
    expect(["Home Office", "Tillmann Grothe", "IT", "2024", ""].map(told)).to.deep.equal([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("keeps a word in the language in which it says something", () => {
    expect(analyseQuery("die hard").words.map(({ word, terms }) => [word, terms.length])).to.deep.equal([
      ["die", 1],
      ["hard", 4],
    ]);
  });

  it("takes the last word as a beginning while it is being typed", () => {
    const prefixes = (query: string): readonly string[] =>
      analyseQuery(query)
        .words.filter(({ isPrefix }) => isPrefix)
        .map(({ word }) => word);
    expect(
      ["annual rep", "annual rep ", "annual report?", '"annual rep"', "annual -rep", "rep annual rep"].map(prefixes),
    ).to.deep.equal([["rep"], [], [], [], [], ["rep"]]);
  });

  it("reads quotes as phrases and a leading minus as exclusion", () => {
    const { words, phrases, excluded } = analyseQuery(
      'budget "annual report" -draft -"old version" e-mail "Model C"-school',
    );
    expect(words.map(({ word }) => word)).to.deep.equal([
      "budget",
      "annual",
      "report",
      "e",
      "mail",
      "model",
      "c",
      "school",
    ]);
    expect(firstSequences(phrases)).to.deep.equal(["xannual xreport", "xmodel xc"]);
    expect(firstSequences(excluded)).to.deep.equal(["xdraft", "xold xversion"]);
  });

  it("takes typographic quotes for prose, whose words belong together", () => {
    const { words, phrases, compounds, excluded } = analyseQuery(
      "Seit wann heißen sie „rote Schulen“-Kinder und «grüne Häuser»?",
    );
    expect(words.map(({ word }) => word)).to.deep.equal(["heissen", "rote", "schulen", "kinder", "grune", "hauser"]);
    expect([phrases, excluded]).to.deep.equal([[], []]);
    expect(firstSequences(compounds)).to.deep.equal(["xrote xschulen", "xgrune xhauser"]);
  });

  it("takes a quote that is never closed for none", () => {
    const { words, phrases } = analyseQuery('"annual report');
    expect(words.map(({ word }) => word)).to.deep.equal(["annual", "report"]);
    expect(phrases).to.deep.equal([]);
  });

  it("excludes up to the end of the query by a quote that is never closed", () => {
    for (const query of ['budget -"old version', "budget -“old version", 'budget "annual report" -"old version']) {
      const { words, excluded } = analyseQuery(query);
      expect(words.map(({ word }) => word))
        .to.not.include("old")
        .and.not.include("version");
      expect(firstSequences(excluded), query).to.deep.equal(["xold xversion"]);
    }
    expect(analyseQuery('model-"c d').excluded).to.deep.equal([]);
  });

  it("keeps the parts of one written word together, without asking for it", () => {
    const { words, compounds, phrases } = analyseQuery("foo_bar in v1.2.3");
    expect(words.map(({ word }) => word)).to.deep.equal(["foo", "bar", "v1", "2", "3"]);
    expect(firstSequences(compounds)).to.deep.equal(["xfoo xbar", "xv1 x2 x3"]);
    expect(phrases).to.deep.equal([]);
  });

  it("asks for the pairs of a script without spaces", () => {
    expect(wordsOf("中国人民")).to.deep.equal(["中国", "国人", "人民"]);
    expect(wordsOf("人")).to.deep.equal(["人"]);
    expect(firstSequences(analyseQuery('"中国 人民"').phrases)).to.deep.equal(["x中国 x国 x人民"]);
  });

  it("tells what it would have to leave out, and takes all of what is within the bounds", () => {
    const many = (count: number, text: (n: number) => string): string =>
      Array.from({ length: count }, (_unused, n) => text(n)).join(" ");
    const letterWord = (n: number): string => `q${String.fromCharCode(97 + n)}`;
    const within = [
      many(64, (n) => `w${n}`),
      many(16, (n) => `"a${n} b"`),
      `x ${many(16, (n) => `-${letterWord(n)}`)}`,
      `"${many(64, (n) => `p${n % 9}`)}"`,
      many(64, (n) => `w${n} W${n}`),
    ];
    for (const query of within) expect(excessOf(query), query).to.equal(null);
    expect(analyseQuery(within[0] as string).words).to.have.length(64);
    expect(analyseQuery(within[2] as string).excluded).to.have.length(16);
    const long = many(70, (n) => (n % 10 === 0 ? `w${n}` : `word${n}`));
    expect([excessOf(long), analyseQuery(long).wordsLeftOut]).to.deep.equal([null, 6]);
    expect(analyseQuery(long).words.map(({ word }) => word))
      .to.include("word69")
      .and.not.include("w60");
    expect(excessOf(`x ${many(17, letterWord)}`.replaceAll(" q", " -q"))).to.deep.equal({
      of: "exclusions",
      found: 17,
    });
    expect(excessOf(`x -"${many(65, (n) => `p${n % 9}`)}"`)).to.deep.equal({ of: "phraseWords", found: 65 });
    expect(excessOf("中".repeat(70))).to.equal(null);
  });

  it("takes quotes and minuses of a pasted text for marks of it", () => {
    const pasted = [
      'Exception in thread "main" NullPointerException: Cannot invoke "Invoice.getTotal()"\n\tat Invoice.print -debug',
      Array.from({ length: 17 }, (_, at) => `"invoice total ${at}"`).join(" ") + " -debug",
      `"${Array.from({ length: 65 }, (_, at) => `word${at}`).join(" ")}" invoice -debug`,
      `invoice\n${Array.from({ length: 17 }, (_, at) => `-option${at}`).join("\n")}`,
    ];
    for (const query of pasted) {
      const { phrases, excluded, words } = analyseQuery(query);
      expect([excessOf(query), phrases, excluded], query).to.deep.equal([null, [], []]);
      expect(words.length, query).to.be.greaterThan(10);
    }
    expect(analyseQuery(`"annual report"${" \n"}`).phrases).to.have.length(1);
    expect(analyseQuery(Array.from({ length: 16 }, (_, at) => `"year ${at}"`).join(" ")).phrases).to.have.length(16);
    expect(analyseQuery("invoice -debug -draft").excluded).to.have.length(2);
  });

  it("is empty where no word is asked for", () => {
    for (const query of ["", "   ", "?!…", '-"draft"', '""']) expect(analyseQuery(query).words).to.deep.equal([]);
  });

  it("excludes a word only beside another one that is wanted, and no option of a program", () => {
    const read = (query: string): readonly [readonly string[], number] => [
      wordsOf(query),
      analyseQuery(query).excluded.length,
    ];
    expect(read("pump -draft")).to.deep.equal([["pump"], 1]);
    expect(read("laptop -VPN")).to.deep.equal([["laptop"], 1]);
    expect(read("-draft")).to.deep.equal([["draft"], 0]);
    expect(read("pump --dry-run")).to.deep.equal([["pump", "dry", "run"], 0]);
    expect(read("java -Xmx -Xms4g -rf -t")).to.deep.equal([["java", "xmx", "xms4g", "rf", "t"], 0]);
    expect(read("gcc -Iinclude -DNDEBUG -std=c99")[1]).to.equal(0);
    expect(read("./gradlew build -Pprod")[1]).to.equal(0);
    expect(read("java -Kaffee")[1]).to.equal(1);
    for (const minus of ["-", "\u2212", "\u2013", "\uff0d"]) {
      expect(read(`pump ${minus}draft`)).to.deep.equal([["pump"], 1]);
      expect(read(`pump ${minus} draft`)).to.deep.equal([["pump", "draft"], 0]);
      expect(read(`pump${minus}draft`)[1]).to.equal(0);
      expect(toldOf(`pump ${minus}draft`).excluded).to.deep.equal(["draft"]);
    }
    expect(read("-Wall -Werror")).to.deep.equal([["wall", "werror"], 0]);
  });

  it("reads what is written as one as a name, with its parts", () => {
    const nameOf = (query: string) => {
      const [name] = analyseQuery(query).names;
      return name && [name.word, name.parts.map(({ word }) => word)];
    };
    expect(nameOf("retryBackoffMillis")).to.deep.equal(["retrybackoffmillis", ["retry", "backoff", "millis"]]);
    expect(nameOf("parseHTTPHeader")).to.deep.equal(["parsehttpheader", ["parse", "http", "header"]]);
    expect(nameOf("foo_bar")).to.deep.equal(["foobar", ["foo", "bar"]]);
    expect(nameOf("INC-20411")).to.deep.equal(["inc20411", ["inc", "20411"]]);
    expect(nameOf("R2025/0317")).to.deep.equal(["r2025·0317", ["r2025", "0317"]]);
    expect(nameOf("4.12.3")).to.deep.equal(["4·12·3", []]);
    expect(nameOf("C++")).to.deep.equal(["c＋＋", ["c"]]);
    expect(nameOf(".NET core")).to.deep.equal(["․net", ["net"]]);
    expect(nameOf("Home-Office und/oder Büro")).to.equal(undefined);
    expect(nameOf("iPhone")).to.equal(undefined);
  });

  it("reads a name that nothing holds by those of its words that are not asked for by themselves", () => {
    const loose = analyseQuery("backoff retry_backoff").names.flatMap((name) => name.loose.map(({ word }) => word));
    expect(loose).to.deep.equal(["retry"]);
  });

  it("of folders that are called by words are found by these, be there numbers beside them", () => {
    const looseIn = (query: string): readonly string[] =>
      analyseQuery(query).names.flatMap((name) => name.loose.map(({ word }) => word));
    expect(looseIn("invoices/2025")).to.deep.equal(["invoices", "2025"]);
    expect(looseIn("R2025/0317")).to.deep.equal([]);
    expect(looseIn("INC-77777")).to.deep.equal([]);
  });

  it("meets other ways to write the same", () => {
    const held = (text: string): ReadonlySet<string> => termsOf(`${text} .`);
    const asked = (query: string): readonly string[] => {
      const { names, joined, words } = analyseQuery(query);
      return [...names, ...joined, ...words.filter((word) => !word.isPartOfName)].flatMap(({ terms }) => terms);
    };
    for (const [query, text] of [
      ["utf8", "UTF-8"],
      ["UTF-8", "utf8"],
      ["wifi", "Wi-Fi"],
      ["email", "e-mail"],
      ["E-Mail", "email"],
      ["Home Office", "Homeoffice"],
      ["homeoffice", "Home-Office-Tag"],
      ["utf8", "output.encoding=UTF-8"],
      ["inc20411", "tickets/INC-20411/log.txt"],
      ["4860,20", "4.860,20"],
      ["4.860,20", "4860.20"],
      ["4,860.20", "4860,20"],
      ["900000", "900.000"],
      ["64.980,00", "64980"],
      ["4.12", "4.12.3"],
      ["v4.12", "4.12.3"],
      ["4.12.3", "v4.12.3"],
      ["4.12", "V4.12.3"],
      ["back up", "backup"],
      ["over time", "overtime"],
      ["Not Aufnahme", "Notaufnahme"],
      ["DE44999877120004471083", "DE44 9998 7712 0004 4710 83"],
      ["DE44 9998 7712 0004 4710 83", "DE44999877120004471083"],
    ] as const)
      expect(
        asked(query).some((term) => held(text).has(term)),
        `${query} in ${text}`,
      ).to.equal(true);
    for (const [query, text] of [
      ["4.1.23", "4.12.3"],
      ["4.12.3", "4.12.30"],
      ["v4.1", "v4.12"],
      ["über Nacht", "Übernachtung"],
    ] as const) {
      const { names, joined } = analyseQuery(query);
      expect(
        [...names, ...joined].some(({ terms }) => terms.some((term) => held(text).has(term))),
        query,
      ).to.equal(false);
    }
  });

  it("takes a stop word in capitals for what it says, alone or beside one other word", () => {
    const termsOfFirst = (query: string): number => analyseQuery(query).words[0]?.terms.length ?? 0;
    expect([termsOfFirst("IT Support"), termsOfFirst("it support")]).to.deep.equal([4, 1]);
    expect(termsOfFirst("IT Support für Gäste")).to.equal(1);
  });
});
