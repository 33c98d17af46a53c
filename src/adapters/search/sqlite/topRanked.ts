/** True where `a` comes before `b`: the higher score first, and among equals the newer, which is the higher slot. */
function isBefore(a: number, b: number, scores: Float32Array): boolean {
  const scoreOfA = scores[a] as number;
  const scoreOfB = scores[b] as number;
  return scoreOfA === scoreOfB ? a > b : scoreOfA > scoreOfB;
}

/**
 * The first `count` of `slots` in ranking order, by the slots' `scores`. The order is total, so pages fit together
 * without gaps or repeats.
 */
export function topRanked(slots: Int32Array, count: number, scores: Float32Array): Int32Array {
  const rank = (a: number, b: number): number => (isBefore(a, b, scores) ? -1 : 1);
  if (count * 8 >= slots.length) return Int32Array.from(slots).sort(rank).subarray(0, count);
  const heap = new LastFirstHeap(count, scores);
  for (let index = 0; index < slots.length; index++) heap.offer(slots[index] as number);
  return heap.slots.sort(rank);
}

/** Keeps a number of best slots. The last of them in ranking order is on top, and is the next to go. */
class LastFirstHeap {
  readonly slots: Int32Array;
  private size = 0;

  constructor(
    capacity: number,
    private readonly scores: Float32Array,
  ) {
    this.slots = new Int32Array(capacity);
  }

  offer(slot: number): void {
    if (this.size < this.slots.length) this.rise(slot, this.size++);
    else if (isBefore(slot, this.slots[0] as number, this.scores)) this.sink(slot);
  }

  private rise(slot: number, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.slots[parent] as number;
      if (!isBefore(above, slot, this.scores)) break;
      this.slots[at] = above;
      at = parent;
    }
    this.slots[at] = slot;
  }

  private sink(slot: number): void {
    const { slots, size, scores } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(slots[child] as number, slots[child + 1] as number, scores)) child += 1;
      if (!isBefore(slot, slots[child] as number, scores)) break;
      slots[at] = slots[child] as number;
      at = child;
    }
    slots[at] = slot;
  }
}
