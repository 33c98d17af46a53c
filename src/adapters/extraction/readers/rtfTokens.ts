/** What an RTF file consists of. `text` holds bytes, as characters of the same numbers. */
export type RtfToken =
  | { readonly kind: "open" | "close" }
  | { readonly kind: "word"; readonly word: string; readonly number: number | null }
  | { readonly kind: "symbol"; readonly symbol: string }
  | { readonly kind: "text"; readonly text: string };

const syntax =
  /\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)/gy;

/** Takes an RTF file apart, given with a character for each byte. Ends at what is no RTF. */
export function* rtfTokens(bytes: string): Generator<RtfToken> {
  syntax.lastIndex = 0;
  for (let at = 0; at < bytes.length;) {
    syntax.lastIndex = at;
    const found = syntax.exec(bytes);
    if (found === null) return;
    at = syntax.lastIndex;
    const [, word, digits, hex, symbol, brace, text] = found;
    // Bytes that are no RTF at all, as those of a picture.
    if (word === "bin") at += Math.max(0, Number(digits ?? 0));
    else if (word !== undefined) yield { kind: "word", word, number: digits === undefined ? null : Number(digits) };
    else if (hex !== undefined) yield { kind: "text", text: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (symbol !== undefined) yield { kind: "symbol", symbol };
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close" };
    else if (text !== undefined) yield { kind: "text", text };
  }
}
