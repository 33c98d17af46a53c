/** Letters that do not come apart into a base letter and an accent. */
const transliterations: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  å: "a",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
};
const maxLength = 64;

/**
 * Derives a sub's key from its name: `Straße & Platz` becomes `strasse_platz`. In a slug every word begins with a
 * letter, so a number joins the word before it: `Phase 2` becomes `phase2`. null where no slug can be made: nothing is
 * left, it would begin with a digit, or it would be too long; then the client has to choose (spec: Sub definition,
 * Naming rules).
 */
export function deriveSubKey(name: string): string | null {
  const key = transliterate(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .reduce((joined, word) => (joined === "" || /^\d/.test(word) ? joined + word : `${joined}_${word}`), "");
  return /^[a-z]/.test(key) && key.length <= maxLength ? key : null;
}

function transliterate(text: string): string {
  const letters = Array.from(text.normalize("NFC").toLowerCase(), (letter) => transliterations[letter] ?? letter);
  return letters.join("").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
