/** How well a text was read, each from 0 to 1. */
export interface Score {
  /** How many of the words that are there were read. */
  readonly recall: number;
  /** How many of the words that were read are there. */
  readonly precision: number;
  /** How many phrases of four words were read as they stand. */
  readonly phrases: number;
}

const phraseWords = 4;
/** Every so many words, a phrase is looked for. */
const stride = 7;

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Compares what was read with what is there, word by word. A word that was read twice counts as read once too much. */
export function scoreOf(truth: string, read: string): Score {
  const [there, found] = [wordsOf(truth), wordsOf(read)];
  const counts = countsOf(found);
  let common = 0;
  for (const [word, count] of countsOf(there)) common += Math.min(count, counts.get(word) ?? 0);
  const phrases: string[] = [];
  for (let at = 0; at + phraseWords <= there.length; at += stride)
    phrases.push(` ${there.slice(at, at + phraseWords).join(" ")} `);
  const running = ` ${found.join(" ")} `;
  return {
    recall: common / there.length,
    precision: common / found.length,
    phrases: phrases.filter((phrase) => running.includes(phrase)).length / phrases.length,
  };
}
