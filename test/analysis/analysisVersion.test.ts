import { createHash } from "node:crypto";
import { expect } from "chai";
import { analyseDocument, analysisVersion, type DocumentText } from "../../src/analysis/analyseDocument.js";
import { titleWordsOf } from "../../src/analysis/suggesting.js";
import { joinedTermsOf } from "../../src/analysis/words.js";

/** What the terms of the documents below hash to. A version that has been released keeps its line. */
const fingerprints: Readonly<Record<number, string>> = {
  1: "f5f2a9767221cd21d3809adf2c437676ea0aede25b02b7220f40ff7256a6adae",
  2: "499a8ed6759b803d06d0ce1d8fac5818a2f374453a6c8115c59ab1e6fbc16136",
  3: "72950f8e28eb129f04671eb317da2df0702387ed06e2eddc9e1ac1854596010c",
  4: "948fa41f2c407eeeeed1e88cb7b27db84a5d22bb72cd9c572eaad31bc10059d9",
  5: "8240a6fdf168392442837c205df22460134958231804602fadc46a0a105713d0",
  6: "d1935c80d8279761fc42ca0002f0ce65c2593b4410141cfab28258b95d31966c",
  7: "75b84e6831717ded39f823ceb83973443b6765414f73490a1940f36389f83d6a",
  8: "5fb88fa575e3a122cded0bd993780431c85c2cb7526da4130e86d5484a69bcd4",
  9: "d41630c88030a46d9a6c21b1d3492a29d51b673cf35294e84a140b48fee684e3",
  10: "942101c9381baf61336d594d82a916c07564ab1c6c55532bd21899b69db23b3d",
  11: "1a3e6547509fb7e599af0cdc67ac28943f26aaa9a22286f175daf85d89a6f656",
};

const german =
  "Die Reisekostenabrechnung der Mitarbeiterinnen muss spätestens einen Monat nach der Rückkehr eingereicht werden; Straßenbahnfahrten zählen ebenfalls.";
const english =
  "Employees' travel expenses have to be handed in within a month of their return, and running costs of the company's cars are paid separately.";
const documents: readonly DocumentText[] = [
  { title: "Reisekosten für Führungskräfte", texts: [german] },
  { title: "Travel expenses", texts: [english] },
  { title: "", texts: [`${german} ${english}`, "Ada Lovelace", "2024"] },
  {
    title: "README.md",
    texts: [
      "# better-sqlite3\n\n`npm install better-sqlite3@12.11.1` … foo_bar(v1.2.3), user@example.org, https://example.org/a?b=c",
    ],
  },
  {
    title: "Ärger mit Übergrößen",
    texts: ["MÜLLER Mueller STRASSE Straße Strasse ﬁn ½ m² e\u0301te\u0301 co\u00adoperate don’t Newton's"],
  },
  { title: "ДОМ", texts: ["ёлка 中国人民 コンピュータ 한국어 ภาษาไทย नमस्ते مرحبا 😀 🇩🇪", "a".repeat(200)] },
  { title: "Büros", texts: ["Die Autos, Laptops und Interviews der Büros sind nicht im Haus, aber die Kurse schon."] },
  { title: "C++ and .NET", texts: ["C# is neither, and IT pays from DE89370400440532013000."] },
  { title: "Nr. 0815, AT U12345678", texts: ["5th of March 2024 ๑๒๓๔ والكتاب O`Neill 1.045,50"] },
  { title: "die the und and", texts: ["", "   ", "\u0000\ud800"] },
];

/** What is stored of a document. */
const storedOf = (document: DocumentText) => {
  const { language, title, body, titleLength, bodyLength, words } = analyseDocument(document);
  return {
    ...{
      language,
      title: joinedTermsOf(title, language),
      body: joinedTermsOf(body, language),
      titleLength,
      bodyLength,
      words: words.map(({ text }) => text),
    },
    ...(document.title !== "" && { titleWords: titleWordsOf(document.title) }),
  };
};

const fingerprint = (): string =>
  createHash("sha256")
    .update(JSON.stringify(documents.map(storedOf)))
    .digest("hex");

describe("the version of the analysis", () => {
  it("is raised with every change of the terms, so that indexes are rebuilt", () => {
    expect(
      fingerprint(),
      `Documents get other terms than version ${analysisVersion} gave them: raise analysisVersion and add its line here. Indexes of another version are rebuilt at the next start.`,
    ).to.equal(fingerprints[analysisVersion]);
  });
});
