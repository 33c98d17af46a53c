import { expect } from "chai";
import iconv from "iconv-lite";
import { readReason, readText } from "../../support/files/readings.js";

const texts: readonly (readonly [string, readonly string[]])[] = [
  ["Die Reisekosten werden nach der Rückkehr abgerechnet. Größere Beträge müssen vorher genehmigt sein.", ["cp1252"]],
  ["Le président a été élu à l'unanimité; les élèves étaient très étonnés.", ["cp1252"]],
  [
    "Командировочные расходы рассчитываются после возвращения.",
    ["koi8-r", "cp1251", "iso-8859-5", "cp866", "maccyrillic"],
  ],
  [
    "Koszty podróży są rozliczane po powrocie. Większe kwoty muszą być zatwierdzone.",
    ["cp1250", "iso-8859-2", "cp852"],
  ],
  ["Cestovní náklady se vyúčtují po návratu. Větší částky musí být předem schváleny.", ["cp1250", "iso-8859-2"]],
  ["Seyahat masrafları dönüşten sonra hesaplanır. Büyük tutarlar önceden onaylanmalıdır.", ["cp1254"]],
  ["Die größeren Beträge müssen vor der Rückkehr nach Köln genehmigt sein.", ["cp850", "cp437"]],
  ["יש להגיש את הקבלות תוך ארבעה שבועות מיום החזרה.", ["cp1255"]],
  ["يجب تقديم الإيصالات في غضون أربعة أسابيع بعد العودة.", ["cp1256"]],
  ["Τα έξοδα ταξιδιού διακανονίζονται μετά την επιστροφή.", ["cp1253", "iso-8859-7"]],
  ["出張旅費は帰着後に精算します。領収書を四週間以内に提出してください。", ["shift_jis", "euc-jp"]],
  ["差旅费在返回后结算。收据必须在四周内提交。", ["gbk"]],
  ["差旅費在返回後結算。收據必須在四週內提交。", ["big5"]],
  ["출장비는 복귀 후 정산됩니다. 영수증은 제출해야 합니다.", ["euc-kr"]],
];

describe("the encoding of a text that nobody declared", () => {
  for (const [text, encodings] of texts)
    for (const encoding of encodings)
      it(`is told by its letters: ${encoding}, ${text.slice(0, 12)}…`, async () => {
        const bytes = iconv.encode(text, encoding);
        for (const mimeType of ["text/plain", null])
          expect((await readText(bytes, { mimeType, name: "a.txt" })).text).to.equal(text);
      });

  it("is told by the words of a page, however many tags stand around them", async () => {
    const words = "Командировочные расходы рассчитываются после возвращения.";
    const page = `<html><body>${'<div class="column"><span>'.repeat(50)}${words}</body></html>`;
    const { text } = await readText(iconv.encode(page, "cp1251"), { mimeType: "text/html" });
    expect(text.trim()).to.equal(words);
  });

  it("is told by what stands far behind a head in ASCII", async () => {
    const words = "Τα έξοδα ταξιδιού διακανονίζονται μετά την επιστροφή.";
    const text = "Plain lines.\n".repeat(10_000) + words;
    expect((await readText(iconv.encode(text, "cp1253"))).text).to.equal(text);
  });

  it("is UTF-16 or UTF-32 in every script, with a mark or without", async () => {
    const scripts = [
      "Größe and ẞ",
      "Дата;Сумма\r\n1;Оплата",
      "日付,金額\r\n1,支払い済み",
      "تاريخ 12",
      "날짜: 3월 1일\n",
    ];
    const encodings = ["utf-16le", "utf-16be", "utf-32le", "utf-32be"];
    const files = encodings.flatMap((encoding) =>
      [true, false].flatMap((addBOM) =>
        scripts.map((text) => ({ text, encoding, bytes: iconv.encode(text, encoding, { addBOM }) })),
      ),
    );
    for (const { text, encoding, bytes } of files)
      for (const declared of [{ mimeType: "text/plain" }, { name: "a.txt" }, {}]) {
        const read = await readText(bytes, declared);
        expect([read.text, read.facts.mimeType], encoding).to.deep.equal([text, "text/plain"]);
      }
  });

  it("is not UTF-16 where numbers stand one after the other", async () => {
    const samples = Buffer.alloc(4_096);
    for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(Math.round(9_000 * Math.sin(at)), at);
    expect(await readReason(samples)).to.match(/^It cannot be told what kind of file it is/);
  });

  it("changes within a file where one was put together of two", async () => {
    const latin = iconv.encode("Protokoll vom 3. März\n", "cp1252");
    const mixed = Buffer.concat([latin, Buffer.from("Die größte Abweichung "), iconv.encode("beträgt 5 %", "cp1252")]);
    for (const file of [
      mixed,
      Buffer.concat([mixed, iconv.encode("\nRückfrage geprüft für Köln".repeat(9), "cp1252")]),
    ])
      expect((await readText(file, { name: "a.log" })).text).to.match(
        /^Protokoll vom 3\. März\nDie größte Abw.* beträgt/,
      );
  });

  it("is Windows-1252 where French signs happen to be what UTF-8 writes for a Chinese one", async () => {
    const text = "Le marché\u00a0» était fermé, à la fin d'août, dès midi.";
    expect((await readText(iconv.encode(text, "cp1252"), { mimeType: "text/plain" })).text).to.equal(text);
  });

  it("is Windows-1252 where the text is too short to tell", async () => {
    for (const text of ["Größe", "Für Grüße aus Köln", "“€”", "déjà vu", "mañana", "à la carte", "Ærø", "naïve façade"])
      expect((await readText(iconv.encode(text, "cp1252"), { mimeType: "text/plain" })).text).to.equal(text);
  });
});
