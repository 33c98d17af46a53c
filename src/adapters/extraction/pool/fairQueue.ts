/** What waits, of several askers: they take turns, and what is one asker's goes in the order in which it came. */
export class FairQueue<Item> {
  /** Whose turn comes first stands first. */
  private readonly waiting = new Map<object, Item[]>();

  /** How many askers wait. */
  get askers(): number {
    return this.waiting.size;
  }

  add(asker: object, item: Item): void {
    const items = this.waiting.get(asker);
    if (items === undefined) this.waiting.set(asker, [item]);
    else items.push(item);
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
