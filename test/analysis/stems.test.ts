import { expect } from "chai";
import { foldWord } from "../../src/analysis/folding.js";
import { wordOf } from "../../src/analysis/words.js";
import type { Language } from "../../src/shared/texts.js";

const termOf = (word: string, language: Language): string => wordOf(foldWord(word)).termIn(language);
const termsOf = (words: string, language: Language): ReadonlySet<string> =>
  new Set(words.split(" ").map((word) => termOf(word, language)));

/** Each line's words meet. */
function meet(language: Language, lines: readonly string[]): void {
  for (const line of lines) it(line, () => expect([...termsOf(line, language)], line).to.have.length(1));
}

/** No two words of a line meet. */
function stayApart(language: Language, lines: readonly string[]): void {
  for (const line of lines) it(line, () => expect(termsOf(line, language).size, line).to.equal(line.split(" ").length));
}

describe("stems", () => {
  describe("of German that meet", () =>
    meet("de", [
      "tragen trägt traegt trug trugen getragen getragene",
      "eintragen eingetragen eingetragenen eintrug",
      "nehmen nimmt nahm genommen",
      "übernehmen übernimmt übernahm übernommen Übernahme",
      "anbieten anbietet angeboten Angebot Angebote Angebots",
      "unterschreiben unterschreibt unterschrieb unterschrieben",
      "unterbrechen unterbricht unterbrach unterbrochen",
      "veranlassen veranlasst veranließ",
      "installieren installiert installierte installierten",
      "Leiter Leiterin Leiterinnen Leitern",
      "Arzt Ärztin Ärztinnen",
      "Kunde Kundin Kundinnen Kunden",
      "Praktikant Praktikantin Praktikantinnen Praktikanten",
      "Foto Photo Fotos Photos",
      "Grafik Graphik Grafiken",
      "Potenzial Potential Potentiale",
    ]));

  describe("of German that stay apart", () =>
    stayApart("de", [
      "Betrieb betreiben",
      "Erbrecht erbrechen",
      "Gehalt halten",
      "Getriebe treiben",
      "Gefahr fahren",
      "Abschied scheiden",
      "Verdacht denken",
      "Bund binden",
      "Fund finden",
      "Schloss schließen",
      "überwachen überwachsen",
      "legen liegen",
      "führen fahren",
      "Termin Term",
      "Lager Lagerung",
    ]));

  describe("of English that meet", () =>
    meet("en", [
      "send sends sending sent",
      "write writes writing wrote written",
      "buy buys buying bought",
      "withdraw withdrew withdrawn withdrawing",
      "child children",
      "woman women",
      "criterion criteria",
      "index indexes indices",
      "analyse analyze analysis analyses analysed analyzing",
      "organise organize organised organizing",
      "organisation organization",
      "colour color colours colored",
      "favourite favorite",
      "behaviour behavior behavioural",
      "centre center centres centers",
      "kilometre kilometer kilometres",
      "catalogue catalog catalogues",
      "licence license licences licensed",
      "defence defense",
      "programme program programs",
    ]));

  describe("of English that stay apart", () =>
    stayApart("en", [
      "improve improvise",
      "hour for",
      "sense cent",
      "found find",
      "left leave",
      "promise prom",
      "exercise exert",
    ]));
});
