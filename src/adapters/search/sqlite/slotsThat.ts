/** The slots of which something is true: several times as fast as `filter` of a typed array. */
export function slotsThat(isTrue: (slot: number) => boolean, slots: Int32Array): Int32Array {
  const kept = new Int32Array(slots.length);
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    if (isTrue(slot)) kept[count++] = slot;
  }
  return kept.subarray(0, count);
}
