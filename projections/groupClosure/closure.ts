import {
  contains,
  difference,
  noIndexes,
  sameIndexes,
  union,
  unionOf,
  withIndex,
  withoutIndex,
  type SortedIndexes,
} from "../../src/shared/sortedIndexes.js";

/** One nesting that was added or removed: `member` belongs to `group`. */
export interface Nesting {
  readonly kind: "joined" | "left";
  readonly member: number;
  readonly group: number;
}

/** A nesting that closes a cycle: the log promises that there is none. */
export class NestingCycle extends Error {
  override readonly name = "NestingCycle";
}

/** From this many on, one pass over everything below the changed groups is cheaper than a pass per change. */
const manyNestings = 64;

/**
 * The groups of one datasource by index (0, 1, 2, … in the order of their creation), each with the groups to which it
 * belongs directly, and with all its ancestors: those to which it belongs directly or through others. A change costs
 * what it changes: it walks down from the member and stops where nothing is gained or lost.
 */
export class Closure {
  private readonly parents: SortedIndexes[] = [];
  private readonly children: number[][] = [];
  private readonly ancestors: SortedIndexes[] = [];

  /** Adds a group that belongs to none, and returns its index. */
  add(): number {
    this.children.push([]);
    this.ancestors.push(noIndexes);
    return this.parents.push(noIndexes) - 1;
  }

  /** Puts back groups as they were stored, in the order of their indexes. */
  static restore(rows: readonly { readonly parents: SortedIndexes; readonly ancestors: SortedIndexes }[]): Closure {
    const closure = new Closure();
    for (const row of rows) {
      const index = closure.add();
      closure.parents[index] = row.parents;
      closure.ancestors[index] = row.ancestors;
    }
    for (let member = 0; member < rows.length; member++) {
      for (const group of closure.parentsOf(member)) closure.childrenOf(group).push(member);
    }
    return closure;
  }

  /** Direct ones. */
  parentsOf(index: number): SortedIndexes {
    return this.parents[index] ?? noIndexes;
  }

  ancestorsOf(index: number): SortedIndexes {
    return this.ancestors[index] ?? noIndexes;
  }

  /**
   * Follows nestings in the order given. One that is there already, or is gone already, changes nothing. Returns the
   * groups whose parents or ancestors are different now. Throws `NestingCycle`; then the closure must not be used any
   * more.
   */
  follow(nestings: readonly Nesting[]): ReadonlySet<number> {
    const changed = new Set<number>();
    if (nestings.length >= manyNestings) this.followTogether(nestings, changed);
    else for (const nesting of nestings) this.followOne(nesting, changed);
    return changed;
  }

  private followOne({ kind, member, group }: Nesting, changed: Set<number>): void {
    if (kind === "joined" && (group === member || contains(this.ancestorsOf(group), member))) {
      throw new NestingCycle(
        `Group ${group} belongs to group ${member} already: letting ${member} join ${group} would close a cycle.`,
      );
    }
    if (!this.link(kind, member, group)) return;
    changed.add(member);
    const throughGroup = withIndex(this.ancestorsOf(group), group);
    if (kind === "joined") this.gain(member, throughGroup, changed);
    else this.lose(member, throughGroup, changed);
  }

  /** False where nothing had to be changed. */
  private link(kind: Nesting["kind"], member: number, group: number): boolean {
    const before = this.parentsOf(member);
    const after = kind === "joined" ? withIndex(before, group) : withoutIndex(before, group);
    if (after === before) return false;
    this.parents[member] = after;
    const children = this.childrenOf(group);
    if (kind === "joined") children.push(member);
    else children.splice(children.indexOf(member), 1);
    return true;
  }

  /**
   * Only what is new to a group can be new to the groups below it. For those that have no other parent all of it is.
   */
  private gain(member: number, gained: SortedIndexes, changed: Set<number>): void {
    const pending = [{ index: member, gained }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { index } = next;
      const throughOnlyParent = this.givenByOnlyParent(index);
      const fresh = throughOnlyParent === null ? difference(next.gained, this.ancestorsOf(index)) : next.gained;
      if (fresh.length === 0) continue;
      this.ancestors[index] = throughOnlyParent ?? union(this.ancestorsOf(index), fresh);
      changed.add(index);
      for (const child of this.childrenOf(index)) pending.push({ index: child, gained: fresh });
    }
  }

  /**
   * What another parent still gives is not lost. A group is looked at once all above it are done. A group has more
   * ancestors than any of its ancestors has, so the old numbers of ancestors give a topological order.
   */
  private lose(member: number, candidates: SortedIndexes, changed: Set<number>): void {
    const pending = new SmallestFirst();
    const candidatesOf = new Map([[member, candidates]]);
    pending.put(member, this.ancestorsOf(member).length);
    for (let index = pending.take(); index !== undefined; index = pending.take()) {
      const throughOnlyParent = index === member ? null : this.givenByOnlyParent(index);
      const possible = candidatesOf.get(index) ?? noIndexes;
      const lost = throughOnlyParent === null ? this.notGivenByParents(index, possible) : possible;
      if (lost.length === 0) continue;
      this.ancestors[index] = throughOnlyParent ?? difference(this.ancestorsOf(index), lost);
      changed.add(index);
      for (const child of this.childrenOf(index)) {
        const known = candidatesOf.get(child);
        if (known === undefined) pending.put(child, this.ancestorsOf(child).length);
        candidatesOf.set(child, known === undefined ? lost : union(known, lost));
      }
    }
  }

  /**
   * All ancestors of a group with one parent, as most have: copied from that parent instead of compared. null where it
   * has more parents.
   */
  private givenByOnlyParent(index: number): SortedIndexes | null {
    const parents = this.parentsOf(index);
    const parent = parents[0];
    return parent === undefined || parents.length > 1 ? null : withIndex(this.ancestorsOf(parent), parent);
  }

  private notGivenByParents(index: number, candidates: SortedIndexes): SortedIndexes {
    let rest = candidates;
    for (const parent of this.parentsOf(index)) {
      if (rest.length === 0) break;
      rest = difference(withoutIndex(rest, parent), this.ancestorsOf(parent));
    }
    return rest;
  }

  /** Links everything first. Then it looks once at each group below a changed one, those above before those below. */
  private followTogether(nestings: readonly Nesting[], changed: Set<number>): void {
    for (const { kind, member, group } of nestings) if (this.link(kind, member, group)) changed.add(member);
    const toLookAt = new Set(changed);
    for (const index of this.topologicalOrderBelow(changed)) {
      if (!toLookAt.has(index)) continue;
      const parents = this.parentsOf(index);
      const ancestors = unionOf([parents, ...Array.from(parents, (parent) => this.ancestorsOf(parent))]);
      if (sameIndexes(ancestors, this.ancestorsOf(index))) continue;
      this.ancestors[index] = ancestors;
      changed.add(index);
      for (const child of this.childrenOf(index)) toLookAt.add(child);
    }
  }

  /** These groups and all below them, every group after its parents. */
  private topologicalOrderBelow(tops: ReadonlySet<number>): readonly number[] {
    const parentsToCome = new Map<number, number>();
    const below = [...tops];
    for (const top of tops) parentsToCome.set(top, 0);
    for (let index = below.pop(); index !== undefined; index = below.pop()) {
      for (const child of this.childrenOf(index)) {
        const known = parentsToCome.get(child);
        if (known === undefined) below.push(child);
        parentsToCome.set(child, (known ?? 0) + 1);
      }
    }
    const order = [...parentsToCome].filter(([, count]) => count === 0).map(([index]) => index);
    for (let at = 0; at < order.length; at++) {
      for (const child of this.childrenOf(order[at] as number)) {
        const rest = (parentsToCome.get(child) ?? 0) - 1;
        parentsToCome.set(child, rest);
        if (rest === 0) order.push(child);
      }
    }
    if (order.length < parentsToCome.size)
      throw new NestingCycle("Groups of these nestings belong to each other in a cycle.");
    return order;
  }

  private childrenOf(index: number): number[] {
    return this.children[index] ?? [];
  }
}

/** Hands out what was put in, the smallest rank first (a binary heap). */
class SmallestFirst {
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
