import { frequencyAt, holds, type Postings } from "./growingPostings.js";

/** The rarest part is followed in at most so many documents that are open, the newest. */
const mostFollowed = 50_000;

/**
 * The documents that hold every part of a name, each in any of its ways, as often as the part that they hold least. It
 * costs as much as the rarest part has documents.
 *
 * @param isOpen whether the person may see a document: others count towards no bound.
 */
export function holdingAll(
  parts: readonly (readonly Postings[])[],
  isOpen: (slot: number) => boolean,
  most = mostFollowed,
): Postings {
  const sizeOf = (ways: readonly Postings[]): number => ways.reduce((sum, { size }) => sum + size, 0);
  const [rarest = [], ...others] = [...parts].sort((a, b) => sizeOf(a) - sizeOf(b));
  const slots = newestOpen(rarest, isOpen, most).filter((slot) =>
    others.every((ways) => ways.some((postings) => holds(postings, slot))),
  );
  const frequencies = Uint8ClampedArray.from(slots, (slot) =>
    parts.reduce((least, ways) => Math.min(least, mostOften(ways, slot)), Infinity),
  );
  return { slots, frequencies, size: slots.length };
}

const mostOften = (ways: readonly Postings[], slot: number): number =>
  ways.reduce((most, postings) => Math.max(most, frequencyAt(postings, slot)), 0);

/** In ascending order, each once. */
function newestOpen(ways: readonly Postings[], isOpen: (slot: number) => boolean, most: number): Int32Array {
  const newest = new Set<number>();
  for (const { slots, size } of ways) {
    let left = most;
    for (let index = size - 1; index >= 0 && left > 0; index--) {
      const slot = slots[index] as number;
      if (!isOpen(slot)) continue;
      newest.add(slot);
      left -= 1;
    }
  }
  return Int32Array.from(newest).sort().slice(-most);
}
