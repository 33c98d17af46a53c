const ascii = 128;
const firstLetter = "a".charCodeAt(0);
const lastLetter = "z".charCodeAt(0);
const toUpperCase = firstLetter - "A".charCodeAt(0);

/**
 * Tells whether the token that starts at a place of a text may become one of these terms, by its first character alone:
 * neither folding nor stemming changes a first letter of ASCII but for its case. Spares most tokens a look-up.
 */
export function initialsOf(terms: readonly string[]): (text: string, start: number) => boolean {
  const mayBegin = new Uint8Array(ascii);
  for (const term of terms) {
    const unit = term.charCodeAt(1);
    if (unit >= ascii) continue;
    mayBegin[unit] = 1;
    if (unit >= firstLetter && unit <= lastLetter) mayBegin[unit - toUpperCase] = 1;
  }
  return (text, start) => {
    const unit = text.charCodeAt(start);
    return unit >= ascii || mayBegin[unit] === 1;
  };
}
