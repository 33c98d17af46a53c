import { expect } from "chai";
import iconv from "iconv-lite";
import { readText } from "../../support/files/readings.js";

const texts: readonly (readonly [string, readonly string[]])[] = [
  ["Die Reisekosten werden nach der Rückkehr abgerechnet. Größere Beträge müssen vorher genehmigt sein.", ["cp1252"]],
  ["Le président a été élu à l'unanimité; les élèves étaient très étonnés.", ["cp1252"]],
  ["Командировочные расходы рассчитываются после возвращения.", ["koi8-r", "cp1251", "iso-8859-5"]],
  ["Koszty podróży są rozliczane po powrocie. Większe kwoty muszą być wcześniej zatwierdzone.", ["cp1250"]],
  ["Τα έξοδα ταξιδιού διακανονίζονται μετά την επιστροφή.", ["cp1253"]],
  ["出張旅費は帰着後に精算します。領収書を四週間以内に提出してください。", ["shift_jis", "euc-jp"]],
  ["差旅费在返回后结算。收据必须在四周内提交。", ["gbk"]],
  ["출장비는 복귀 후 정산됩니다. 영수증은 제출해야 합니다.", ["euc-kr"]],
  ["Größe and ẞ, without a mark", ["utf-16le", "utf-16be"]],
];

describe("the encoding of a text that nobody declared", () => {
  for (const [text, encodings] of texts)
    for (const encoding of encodings)
      it(`is told by its letters: ${encoding}, ${text.slice(0, 12)}…`, async () => {
        const bytes = iconv.encode(text, encoding);
        for (const mimeType of ["text/plain", null])
          expect((await readText(bytes, { mimeType, name: "a.txt" })).text).to.equal(text);
      });

  it("is Windows-1252 where the text is too short to tell", async () => {
    for (const text of ["Größe", "Für Grüße aus Köln", "“€”"])
      expect((await readText(iconv.encode(text, "cp1252"), { mimeType: "text/plain" })).text).to.equal(text);
  });
});
