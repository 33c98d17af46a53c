import { expect } from "chai";
import { hasReadableCharacters, hasWords } from "../../../../src/adapters/extraction/readers/plausibleText.js";

const shifted = (text: string, by: number): string =>
  [...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) + by)).join("");

describe("hasReadableCharacters", () => {
  it("takes for text what need not be prose", () => {
    for (const text of [
      "McDonald LinkedIn YouTube GitHub iPhone PayPal WhatsApp TikTok PowerPoint JavaScript",
      "getUserName setUserName deleteAccount createInvoice findByCustomerId",
      "X7K9Q-2M4PT-88RRT-KLP23-QWX9Z B3FG7-9HJK2-LMN45-PQRS6-TVWX8",
      "d41d8cd98f00b204e9800998ecf8427e 9e107d9d372bb6826bd81d3542a419d6",
      "\uf0b7 Erstens \uf0b7 Zweitens",
    ])
      expect(hasReadableCharacters(text), text).to.equal(true);
  });

  it("takes signs of nobody's script for none", () => {
    for (const text of [
      "",
      "\u0003\u0004 \u0005",
      "\ue054\ue068\ue065 \ue061",
      "\ufffd\ufffd a",
      "\u0378\u0379\u0380b",
    ])
      expect(hasReadableCharacters(text), JSON.stringify(text)).to.equal(false);
  });
});

describe("hasWords", () => {
  const english = "The quick brown fox jumps over the lazy dog, and nobody asks it why it does so every day.";

  it("takes prose, code, tables and other scripts for text", () => {
    for (const text of [
      english,
      "Die Geschäftsführung der Müller & Söhne GmbH berichtet über das Jahr 2024 – §§ 264 ff. HGB",
      "for (const item of items) { total += item.price * item.count; } // see RFC 2119",
      "1.234,56 € 99,00 € 17 % 2024-01-31 4711-0815 12:30 +49 30 123456 ............ 17",
      "快速的棕色狐狸跳过了懒狗，没有人问它为什么每天都这样做。这是一个完整的句子，没有空格。",
      "Быстрая коричневая лиса прыгает через ленивую собаку, и никто не спрашивает почему.",
      "A",
    ])
      expect(hasWords(text), text).to.equal(true);
  });

  it("takes what a font without a table of characters leaves for none", () => {
    for (const text of ["", " \n ", shifted(english, -29), shifted(english, 0xe000), english.replace(/\w/g, "\ufffd")])
      expect(hasWords(text), text).to.equal(false);
  });

  it("takes long text without spaces in no time", () => {
    expect(hasWords("x1".repeat(5_000_000))).to.equal(false);
  });
});
