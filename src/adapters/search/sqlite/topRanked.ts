/** Numbers by slot: scores, or times. NaN: there is none. */
type Values = Float32Array | Float64Array;

/** True where `a` comes before `b`: the higher value first, none last, and among equals the newer: the higher slot. */
function isBefore(a: number, b: number, values: Values): boolean {
  const valueOfA = values[a] as number;
  const valueOfB = values[b] as number;
  if (valueOfA > valueOfB) return true;
  if (valueOfA < valueOfB) return false;
  const hasA = !Number.isNaN(valueOfA);
  return hasA === !Number.isNaN(valueOfB) ? a > b : hasA;
}

/**
 * The first `count` of `slots` in ranking order, by the slots' `values`. The order is total, so pages fit together
 * without gaps or repeats.
 */
export function topRanked(slots: Int32Array, count: number, values: Values): Int32Array {
  const rank = (a: number, b: number): number => (isBefore(a, b, values) ? -1 : 1);
  if (count * 8 >= slots.length) return Int32Array.from(slots).sort(rank).subarray(0, count);
  const heap = new LastFirstHeap(count, values);
  for (let index = 0; index < slots.length; index++) heap.offer(slots[index] as number);
  return heap.slots.sort(rank);
}

/** Keeps a number of best slots. The last of them in ranking order is on top, and is the next to go. */
class LastFirstHeap {
  readonly slots: Int32Array;
  private size = 0;

  constructor(
    capacity: number,
    private readonly values: Values,
  ) {
    this.slots = new Int32Array(capacity);
  }

  offer(slot: number): void {
    if (this.size < this.slots.length) this.rise(slot, this.size++);
    else if (isBefore(slot, this.slots[0] as number, this.values)) this.sink(slot);
  }

  private rise(slot: number, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.slots[parent] as number;
      if (!isBefore(above, slot, this.values)) break;
      this.slots[at] = above;
      at = parent;
    }
    this.slots[at] = slot;
  }

  private sink(slot: number): void {
    const { slots, size, values } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(slots[child] as number, slots[child + 1] as number, values)) child += 1;
      if (!isBefore(slot, slots[child] as number, values)) break;
      slots[at] = slots[child] as number;
      at = child;
    }
    slots[at] = slot;
  }
}
