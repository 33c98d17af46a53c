/** Letters that have no decomposition, and those that Arabic and Persian keyboards have in place of each other. */
const written: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ς: "σ",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ٱ: "ا",
  "\u02bc": "",
};
const plain = /^[ -~]*$/;
/**
 * Accents, and the marks of Arabic and Hebrew, which most people leave out; not those that other scripts spell with.
 */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+/g;
const notInWords = /[^\p{L}\p{N}\p{M}]+/gu;
const digit = /(?![0-9])\p{Nd}/gu;
/** The Arabic article, which is written in one with its word, and one with `and` before it. `والدين` has none. */
const article = /^(?:ال(?=\p{L}{3})|وال(?=\p{L}{4}))/u;
const special = new RegExp(`[${Object.keys(written).join("")}]`, "g");

/**
 * Folds a token's surface: lower case, compatibility forms, accents off (ä→a, é→e, ё→е), ß→ss, the Arabic article off.
 * The result holds only ASCII lower-case letters and digits, and non-ASCII letters, digits and vowel signs. It may be
 * empty. Idempotent.
 */
export function foldWord(surface: string): string {
  if (plain.test(surface)) return surface.toLowerCase();
  let folded = surface;
  for (let previous = ""; folded !== previous;) {
    previous = folded;
    folded = folded
      .normalize("NFKD")
      .toLowerCase()
      .normalize("NFKD")
      .replace(accents, "")
      .replace(special, (letter) => written[letter] ?? letter)
      .replace(digit, valueOf)
      .replace(notInWords, "")
      .replace(article, "")
      .normalize("NFC");
  }
  return folded;
}

/** Digits stand in rows of ten from zero on, in every script. */
function valueOf(digitOfAScript: string): string {
  const found = digitOfAScript.codePointAt(0) ?? 0;
  let zero = found;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((found - zero) % 10);
}

const umlautDigraphs = /(?<![aeiouyq])([aou])e+/g;

/**
 * Brings `ae`, `oe`, `ue` to the form that ä, ö, ü have after {@link foldWord}, so Mueller and Müller meet. After a
 * vowel or a q they are no umlauts (neue, Feuer, Quelle). Applied after stemming, which needs the letters. Idempotent.
 */
export const foldDigraphs = (word: string): string => (word.includes("e") ? word.replace(umlautDigraphs, "$1") : word);

const digraphs: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/** A word folded, once with umlauts as their letters, once as two letters; distinct. */
export function spellingsOf(word: string): readonly string[] {
  const spelled = word.normalize("NFC").replace(/[äöü]/gi, (letter) => digraphs[letter.toLowerCase()] ?? letter);
  return [...new Set([foldWord(word), foldWord(spelled)])];
}

/** The same, and with two letters as the umlaut that they may stand for; distinct. */
export const looseSpellingsOf = (word: string): readonly string[] => [
  ...new Set([...spellingsOf(word), foldDigraphs(foldWord(word))]),
];
