const dataUrl = /^data:[A-Za-z0-9!#$&^_.+/-]*(?:;[A-Za-z0-9=._-]+)*;base64,/;
const lineBreaks = /[\r\n]+/g;
const otherCharacter = /[^A-Za-z0-9+/]/;

/**
 * How many bytes standard Base64 decodes to, in one line or wrapped, as mail does; or, as a clause, where it is none
 * (alphabet, length, padding, rest bits).
 */
export function readBase64(base64: string): { readonly length: number } | { readonly fault: string } {
  const text = base64.includes("\n") || base64.includes("\r") ? base64.replace(lineBreaks, "") : base64;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding;
  const other = otherCharacter.exec(padding === 0 ? text : text.slice(0, digits));
  if (other !== null) return { fault: `character ${placeOf(other.index, base64)} is ${JSON.stringify(other[0])}` };
  if (text.length % 4 !== 0) return { fault: `it has ${text.length} characters, which is no multiple of four` };
  const lastQuantum = text.slice(-4);
  if (padding > 0 && Buffer.from(lastQuantum, "base64").toString("base64") !== lastQuantum)
    return { fault: `character ${placeOf(digits - 1, base64)}, its last, says more than the last byte holds` };
  return { length: (text.length / 4) * 3 - padding };
}

/** Counted from 1, of the text as it was sent. */
function placeOf(index: number, sent: string): number {
  let place = index;
  for (const { index: at, 0: breaks } of sent.matchAll(lineBreaks)) {
    if (at > place) break;
    place += breaks.length;
  }
  return place + 1;
}

/** How many bytes standard Base64 decodes to; undefined where it is none. */
export function decodedLength(base64: string): number | undefined {
  const read = readBase64(base64);
  return "length" in read ? read.length : undefined;
}

/** The same for an icon, which may also be a data URL. */
export function iconLength(icon: string): number | undefined {
  return decodedLength(icon.slice(dataUrl.exec(icon)?.[0].length ?? 0));
}
