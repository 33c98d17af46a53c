import type { Postings } from "./growingPostings.js";

/** The rarest part is followed in at most so many documents, the newest. */
const mostFollowed = 50_000;

/**
 * The documents that hold every part of a name, each in any of its ways. It costs as much as the rarest part has
 * documents.
 */
export function holdingAll(parts: readonly (readonly Postings[])[]): Postings {
  const sizeOf = (ways: readonly Postings[]): number => ways.reduce((sum, { size }) => sum + size, 0);
  const [rarest = [], ...others] = [...parts].sort((a, b) => sizeOf(a) - sizeOf(b));
  const slots = slotsOf(rarest)
    .slice(-mostFollowed)
    .filter((slot) => others.every((ways) => ways.some((postings) => holds(postings, slot))));
  return { slots, frequencies: new Uint8ClampedArray(slots.length).fill(1), size: slots.length };
}

/** In ascending order, each once. */
function slotsOf(ways: readonly Postings[]): Int32Array {
  const [only, ...more] = ways;
  if (only !== undefined && more.length === 0) return only.slots.subarray(0, only.size);
  return Int32Array.from(new Set(ways.flatMap(({ slots, size }) => [...slots.subarray(0, size)]))).sort();
}

function holds({ slots, size }: Postings, slot: number): boolean {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low < size && slots[low] === slot;
}
