import * as fc from "fast-check";

/** Texts that stress an analyser: prose, markup, scripts with and without spaces, marks, halves of pairs, controls. */
const chunks = fc.oneof(
  fc.constantFrom(
    "Müller",
    "Mueller",
    "STRASSE",
    "Straße",
    "die",
    "the",
    "foo_bar",
    "v1.2.3",
    "e-1234",
    "user@example.org",
    "don’t",
    "Newton's",
    "中国人民",
    "コンピュータ",
    "한국어",
    "ภาษาไทย",
    "ДОМ",
    "ёлка",
    "İstanbul",
    "ﬁn",
    "½",
    "m²",
    "𝐀𝐁",
    "𠀀𠀁",
    "e\u0301te\u0301",
    "co\u00adoperate",
    "\ud800",
    "\udc00",
    "\u0000",
    "<b>",
    "&amp;",
    '"',
    "„",
    "“",
    "-",
    "--",
    "-x",
    "'s",
    "\n",
    "\t",
    "\u00a0",
    "…",
    "😀",
    "नमस्ते",
    "مرحبا",
    "a".repeat(200),
    "🇩🇪",
    "ß",
    "ǅ",
    "ŉ",
    "゙",
    "x".repeat(63) + "𐐀",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ maxLength: 12 }),
);

export const anyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(chunks, fc.constantFrom(" ", " ", "", ". ", "\n")), { maxLength: 40 })
  .map((parts) => parts.map(([chunk, blank]) => chunk + blank).join(""));

const german = "Die Panther gaben in dieser Saison nur wenige Punkte ab und waren damit die beste Mannschaft der Liga.";
const english = "The Panthers gave up few points in this season and were by that the best team of the league.";

/** Texts of a language that is told, or not. */
export const languageText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", german, english), anyText)
  .map(([prose, text]) => `${prose} ${text}`);
