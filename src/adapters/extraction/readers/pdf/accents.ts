/** Accents with a place of their own, as old fonts have them, and the same for the letter before them. */
const combining: ReadonlyMap<string, string> = new Map([
  ["`", "\u0300"],
  ["\u02cb", "\u0300"],
  ["\u00b4", "\u0301"],
  ["\u02ca", "\u0301"],
  ["\u02c6", "\u0302"],
  ["\u02dc", "\u0303"],
  ["\u00af", "\u0304"],
  ["\u02c9", "\u0304"],
  ["\u02d8", "\u0306"],
  ["\u02d9", "\u0307"],
  ["\u00a8", "\u0308"],
  ["\u02da", "\u030a"],
  ["\u02dd", "\u030b"],
  ["\u02c7", "\u030c"],
  ["\u00b8", "\u0327"],
  ["\u02db", "\u0328"],
]);

const dotless: Readonly<Record<string, string>> = { "\u0131": "i", "\u0237": "j" };

/** A letter with the accent that is drawn over or under it; null where they are no letter and no accent. */
export function combinedWith(letter: string, accent: string): string | null {
  const mark = combining.get(accent);
  if (mark === undefined || !/^\p{L}$/u.test(letter)) return null;
  return ((dotless[letter] ?? letter) + mark).normalize("NFC");
}
