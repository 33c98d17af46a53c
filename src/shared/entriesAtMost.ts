/**
 * Bounds an `LRUCache` to so many entries, whatever their size. Bounded by its own `max`, it would make room for all of
 * them at once, whenever one is made.
 */
export const entriesAtMost = (entries: number): { readonly maxSize: number; sizeCalculation(): number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
