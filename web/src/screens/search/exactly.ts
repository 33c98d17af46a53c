const quotedOrWord = /"[^"]*"|"|(?<!\S)-\S+|[\p{L}\p{N}\p{M}]+/gu;
const lower = (text: string): string => text.toLowerCase();

/**
 * The query with quotes around a word, so that it is not corrected. What is quoted or left out already stays as it is;
 * a quote that is never closed goes. A word that is part of others alone (`retryBackof`) is quoted together with them.
 */
export function exactly(query: string, word: string): string {
  const standsAlone = quoted(query, (each) => lower(each) === lower(word));
  const within = standsAlone ?? quoted(query, (each) => lower(each).includes(lower(word)));
  return within ?? `"${word}"`;
}

/** The query without the minus before what it excludes. */
export const withoutMinus = (query: string, excluded: readonly string[]): string =>
  query.replaceAll(/(?<!\S)-(?="([^"]*)"|(\S+))/g, (minus, phrase?: string, word?: string) =>
    excluded.some((each) => each === phrase || word?.includes(each) === true) ? "" : minus,
  );

/** null where no word is one of these. */
function quoted(query: string, isOne: (word: string) => boolean): string | null {
  let isFound = false;
  const changed = query.replaceAll(quotedOrWord, (each) => {
    if (each === '"') return "";
    if (each.startsWith('"') || each.startsWith("-") || !isOne(each)) return each;
    isFound = true;
    return `"${each}"`;
  });
  return isFound ? changed : null;
}
