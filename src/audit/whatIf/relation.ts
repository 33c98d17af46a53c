/** A stored relation, and what would be different. */
export class Relation {
  private readonly added = new Pairs();
  private readonly removed = new Pairs();

  constructor(
    private readonly storedFrom: (left: number) => Iterable<number>,
    private readonly storedTo: (right: number) => Iterable<number>,
  ) {}

  add(left: number, right: number): void {
    if (!this.removed.delete(left, right)) this.added.add(left, right);
  }

  remove(left: number, right: number): void {
    if (!this.added.delete(left, right)) this.removed.add(left, right);
  }

  from(left: number): ReadonlySet<number> {
    return changed(this.storedFrom(left), this.removed.from(left), this.added.from(left));
  }

  to(right: number): ReadonlySet<number> {
    return changed(this.storedTo(right), this.removed.to(right), this.added.to(right));
  }
}

class Pairs {
  private readonly forward = new Map<number, Set<number>>();
  private readonly backward = new Map<number, Set<number>>();

  add(left: number, right: number): void {
    insert(this.forward, left, right);
    insert(this.backward, right, left);
  }

  /** False where it was not there. */
  delete(left: number, right: number): boolean {
    this.backward.get(right)?.delete(left);
    return this.forward.get(left)?.delete(right) === true;
  }

  from = (left: number): Iterable<number> => this.forward.get(left) ?? [];
  to = (right: number): Iterable<number> => this.backward.get(right) ?? [];
}

function insert(map: Map<number, Set<number>>, key: number, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function changed(stored: Iterable<number>, removed: Iterable<number>, added: Iterable<number>): ReadonlySet<number> {
  const result = new Set(stored);
  for (const value of removed) result.delete(value);
  for (const value of added) result.add(value);
  return result;
}
