/** Endings that words of both languages take; what is left is compared. */
const endings = /(?:ungen|ings?|ern|ung|ies|ed|es|en|em|er|ly|s|e|n|y)$/u;
const shortestStem = 3;
const word = /[\p{L}\p{N}]+/gu;

/** A word without case, accents and ending. */
function stemOf(text: string): string {
  const folded = text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss");
  const cut = folded.replace(endings, "");
  return cut.length >= shortestStem ? cut : folded;
}

/** The words that a query looks for; what it forbids is none of them. */
export const soughtWords = (query: string): readonly string[] =>
  query.replaceAll(/(?:^|\s)-(?:"[^"]*"?|\S+)/gu, " ").match(word) ?? [];

/** Words that are sought, without their endings. */
export type SoughtStems = ReadonlySet<string>;

/** What {@link stretchesOf} compares with. */
export const stemsOf = (sought: readonly string[]): SoughtStems =>
  new Set(sought.flatMap((each) => (each.match(word) ?? []).map(stemOf)));

/** Where a text matches first; -1: nowhere. */
export function firstMatchIn(text: string, stems: SoughtStems): number {
  if (stems.size > 0) for (const { 0: found, index } of text.matchAll(word)) if (stems.has(stemOf(found))) return index;
  return -1;
}

/** A stretch of a text. */
export interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * Cuts a text into stretches that match and those that do not. It knows less of languages than the search: it is there
 * to lead the eye, and the search has decided what is found.
 */
export function stretchesOf(text: string, stems: SoughtStems): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const { 0: found, index } of stems.size === 0 ? [] : text.matchAll(word)) {
    if (!stems.has(stemOf(found))) continue;
    if (index > from) stretches.push({ text: text.slice(from, index), isMatch: false });
    stretches.push({ text: found, isMatch: true });
    from = index + found.length;
  }
  if (from < text.length) stretches.push({ text: text.slice(from), isMatch: false });
  return stretches;
}
