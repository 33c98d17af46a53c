/**
 * Bounds an `LRUCache` to so many entries, whatever their size. Bounded by its own `max`, it would make room for all of
 * them at once, whenever one is made.
 */
export const entriesAtMost = (entries: number): { readonly maxSize: number; sizeCalculation(): number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});

/** Parts of this size, in their order, the last one smaller; none of nothing. */
export function inGroups<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
