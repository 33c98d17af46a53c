/** Hands out what was put in, the smallest rank first (a binary heap). */
export class SmallestFirst {
  private readonly entries: { readonly rank: number; readonly item: number }[] = [];

  put(item: number, rank: number): void {
    const { entries } = this;
    let at = entries.length;
    entries.push({ rank, item });
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.rankAt(above) <= rank) break;
      this.swap(at, above);
      at = above;
    }
  }

  take(): number | undefined {
    const { entries } = this;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first?.item;
    entries[0] = last;
    this.sink();
    return first.item;
  }

  private sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const smaller = this.rankAt(left + 1) < this.rankAt(left) ? left + 1 : left;
      if (this.rankAt(smaller) >= this.rankAt(at)) return;
      this.swap(at, smaller);
      at = smaller;
    }
  }

  private rankAt(place: number): number {
    return this.entries[place]?.rank ?? Number.POSITIVE_INFINITY;
  }

  private swap(a: number, b: number): void {
    const { entries } = this;
    const moved = entries[a];
    entries[a] = entries[b] as (typeof entries)[number];
    entries[b] = moved as (typeof entries)[number];
  }
}
