const ascii = 128;
const upperCase = /^[A-Z]$/;

/**
 * Tells whether the token that starts at a place of a text may become one of these terms, by its first character alone:
 * neither folding nor stemming changes a first letter of ASCII but for its case. Spares most tokens a look-up.
 */
export function initialsOf(terms: readonly string[]): (text: string, start: number) => boolean {
  const initials = new Set(terms.map((term) => term.charAt(1)));
  const mayBegin = Uint8Array.from({ length: ascii }, (_unused, unit) => {
    const character = String.fromCharCode(unit);
    return Number(initials.has(upperCase.test(character) ? character.toLowerCase() : character));
  });
  return (text, start) => {
    const unit = text.charCodeAt(start);
    return unit >= ascii || mayBegin[unit] === 1;
  };
}
