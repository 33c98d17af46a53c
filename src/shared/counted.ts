/** A count with its noun: `1 event`, `12,000 events`. `plural` where that is not the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
