import { expect } from "chai";
import * as fc from "fast-check";
import { Closure, NestingCycle, type Nesting } from "../../../projections/groupClosure/closure.js";
import { propertyRuns } from "../../support/propertyRuns.js";

/** Groups that a group belongs to, by breadth-first search over direct nestings. */
function searched(parents: ReadonlyMap<number, ReadonlySet<number>>, start: number): readonly number[] {
  const found = new Set<number>();
  const queue = [start];
  for (const next of queue) {
    for (const parent of parents.get(next) ?? []) {
      if (!found.has(parent)) queue.push(parent);
      found.add(parent);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The closure under test beside a plain set of nestings. */
class Checked {
  readonly parents = new Map<number, Set<number>>();

  constructor(
    readonly size: number,
    public closure = new Closure(),
  ) {
    for (let index = 0; index < size; index++) closure.add();
  }

  /** Joins that would close a cycle are left out. */
  follow(nestings: readonly Nesting[]): void {
    const before = this.lists();
    const accepted = nestings.filter((nesting) => this.accept(nesting));
    const changed = this.closure.follow(accepted);
    const after = this.lists();
    expect(after.map(({ ancestors }) => ancestors)).to.deep.equal(
      after.map((_, index) => searched(this.parents, index)),
    );
    const differing = after.flatMap((list, index) =>
      JSON.stringify(list) === JSON.stringify(before[index]) ? [] : [index],
    );
    expect([...changed]).to.include.members(differing);
  }

  restart(): void {
    this.closure = Closure.restore(
      this.indexes().map((index) => ({
        parents: this.closure.parentsOf(index),
        ancestors: this.closure.ancestorsOf(index),
      })),
    );
  }

  lists() {
    return this.indexes().map((index) => ({
      parents: [...this.closure.parentsOf(index)],
      ancestors: [...this.closure.ancestorsOf(index)],
    }));
  }

  private indexes(): number[] {
    return Array.from({ length: this.size }, (_, index) => index);
  }

  private accept({ kind, member, group }: Nesting): boolean {
    const parents = this.parents.get(member) ?? new Set();
    this.parents.set(member, parents);
    if (kind === "left") parents.delete(group);
    else if (member === group || searched(this.parents, group).includes(member)) return false;
    else parents.add(group);
    return true;
  }
}

const joined = (member: number, group: number): Nesting => ({ kind: "joined", member, group });
const left = (member: number, group: number): Nesting => ({ kind: "left", member, group });
const chain = (length: number): Nesting[] => Array.from({ length }, (_, index) => joined(index + 1, index));

const nestingsAmong = (size: number): fc.Arbitrary<Nesting> =>
  fc.record({
    kind: fc.constantFrom("joined" as const, "joined" as const, "left" as const),
    member: fc.nat(size - 1),
    group: fc.nat(size - 1),
  });
const batches = (size: number): fc.Arbitrary<Nesting[][]> =>
  fc.array(
    fc.oneof(
      fc.array(nestingsAmong(size), { maxLength: 3 }),
      fc.array(nestingsAmong(size), { minLength: 64, maxLength: 150 }),
    ),
    { maxLength: 15 },
  );

describe("the closure of nested groups", () => {
  it("equals a breadth-first search after any joins and leaves, in batches of any size, over a restart", () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 25 }).chain((size) => fc.tuple(fc.constant(size), batches(size), fc.nat(15))),
      ([size, all, restartAt]) => {
        const checked = new Checked(size);
        all.forEach((batch, index) => {
          if (index === restartAt) checked.restart();
          checked.follow(batch);
        });
      },
    );
    fc.assert(property, propertyRuns(400));
  });

  it("stays right on chains 45 deep with short cuts, as links come and go", () => {
    const change = fc.record({
      kind: fc.constantFrom("joined" as const, "left" as const),
      a: fc.nat(45),
      b: fc.nat(45),
    });
    const property = fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const checked = new Checked(46);
      checked.follow(chain(45));
      for (const { kind, a, b } of changes) checked.follow([{ kind, member: Math.max(a, b), group: Math.min(a, b) }]);
    });
    fc.assert(property, propertyRuns(60));
  });

  it("loses through a diamond only what no other way gives", () => {
    const checked = new Checked(4);
    checked.follow([joined(3, 1), joined(3, 2), joined(1, 0), joined(2, 0)]);
    expect([...checked.closure.follow([left(3, 1)])]).to.deep.equal([3]);
    expect([...checked.closure.ancestorsOf(3)]).to.deep.equal([0, 2]);
  });

  it("touches nothing below a group to which a change brings nothing new", () => {
    const checked = new Checked(104);
    checked.follow([joined(1, 0), joined(2, 1), ...Array.from({ length: 100 }, (_, index) => joined(index + 3, 2))]);
    expect([...checked.closure.follow([joined(2, 0)])]).to.deep.equal([2]);
    expect([...checked.closure.follow([left(2, 0)])]).to.deep.equal([2]);
  });

  it("passes a change on to every one of many members", () => {
    const checked = new Checked(2_002);
    checked.follow(Array.from({ length: 2_000 }, (_, index) => joined(index + 2, 1)));
    expect(checked.closure.follow([joined(1, 0)]).size).to.equal(2_001);
    expect(checked.closure.follow([left(1, 0)]).size).to.equal(2_001);
    expect([...checked.closure.ancestorsOf(1_000)]).to.deep.equal([1]);
  });

  it("is changed by no repeat", () => {
    const checked = new Checked(3);
    checked.follow(chain(2));
    expect(checked.closure.follow([...chain(2), left(0, 2)]).size).to.equal(0);
  });

  for (const [size, others] of [
    ["one at a time", 0],
    ["together", 100],
  ] as const) {
    it(`refuses what closes a cycle, ${size}`, () => {
      const { closure } = new Checked(103);
      closure.follow(chain(2));
      const rest = Array.from({ length: others }, (_, index) => joined(index + 3, 0));
      expect(() => closure.follow([...rest, joined(0, 2)])).to.throw(NestingCycle);
      expect(() => new Checked(103).closure.follow([...rest, joined(5, 5)])).to.throw(NestingCycle);
    });
  }
});
