/** A stretch of a query between blanks, or between quotes. */
export interface QueryPart {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

const partPattern =
  /((?<!\S)-)?(?:"([^"]*)"|[„“”]([^„“”"]*)[“”]|«([^«»"]*)»|(?<=(?<!\S)-)["„“”«]([^"„“”«»]*)$|([^\s"„“”«»]+))/gu;

const holdsWord = /[\p{L}\p{N}]/u;
/** Two letters or more, which hyphens may join (`E-Mail`). What follows them does not matter, unless it is a digit. */
const letterWord = /^\p{L}(?:-?[\p{L}\p{M}])+(?![\p{L}\p{M}\p{N}])/u;
const vowel = /[aeiouyäöü]/iu;
/** `PDF`, `sql`: in one case; two small letters are rather options. */
const abbreviation = /^(?:\p{Lu}{2,}|\p{Ll}{3,})$/u;

/**
 * Splits a query at blanks outside quotes. Straight quotes ask for a phrase. Typographic quotes come with prose: they
 * keep their words together and require nothing. A quote that is never closed is no quote, but where it would exclude:
 * what was to be left out must not be found.
 *
 * A `-` excludes a word only where another part of the query says what is wanted, and where it is a word: `--dry-run`,
 * `-Xmx4g`, `-f` and a `-word` alone are looked for.
 */
export function partsOf(query: string): readonly QueryPart[] {
  const found = [...query.matchAll(partPattern)].map(([, minus, quoted, ...others]) => ({
    text: quoted ?? others.find((text) => text !== undefined) ?? "",
    isQuoted: quoted !== undefined,
    isUnquoted: others.at(-1) !== undefined,
    isNegative: minus !== undefined,
  }));
  const isAnythingWanted = found.some(({ text, isNegative }) => !isNegative && holdsWord.test(text));
  return found.map(({ text, isQuoted, isUnquoted, isNegative }) => ({
    text,
    isQuoted,
    isExcluded: isNegative && (!isUnquoted || (isAnythingWanted && readsAsWord(text))),
  }));
}

/** Options of programs (`-Xmx`, `-rf`) are no words: they have no vowel, and are no abbreviations either. */
function readsAsWord(text: string): boolean {
  const [word] = letterWord.exec(text) ?? [];
  return word !== undefined && (vowel.test(word) || abbreviation.test(word) || !/^[\p{Script=Latin}]/u.test(word));
}
