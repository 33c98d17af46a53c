/** What waits, of several askers: they take turns, and what is one asker's goes in the order in which it came. */
export class FairQueue<Asker extends object, Item> {
  /** Whose turn comes first stands first. */
  private readonly waiting = new Map<Asker, Item[]>();

  /** How many askers wait. */
  get askers(): number {
    return this.waiting.size;
  }

  add(asker: Asker, item: Item): void {
    const items = this.waiting.get(asker);
    if (items === undefined) this.waiting.set(asker, [item]);
    else items.push(item);
  }

  /** Takes out everything of askers that nobody waits for any more. */
  takeAbandoned(isAbandoned: (asker: Asker) => boolean): readonly Item[] {
    const abandoned = [...this.waiting].filter(([asker]) => isAbandoned(asker));
    for (const [asker] of abandoned) this.waiting.delete(asker);
    return abandoned.flatMap(([, items]) => items);
  }

  /** Undefined: nothing waits. */
  take(): Item | undefined {
    for (const [asker, items] of this.waiting) {
      const item = items.shift();
      this.waiting.delete(asker);
      if (items.length > 0) this.waiting.set(asker, items);
      return item;
    }
    return undefined;
  }
}
