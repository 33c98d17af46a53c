/**
 * Positions of the log at which something was so: `[from, until, from, until, …]`, ascending, disjoint, never touching;
 * each `from` is inclusive, each `until` exclusive. Positions are numbers here: they stay far below 2^53.
 */
export type IntervalSet = readonly number[];

/** The end of an interval that has not ended. */
export const still = Number.MAX_SAFE_INTEGER;

export const never: IntervalSet = [];
export const isNever = (set: IntervalSet): boolean => set.length === 0;
/** Empty where it would end before it begins. */
export const between = (from: number, until: number): IntervalSet => (from < until ? [from, until] : never);

/** The intervals in which either holds. */
export function union(a: IntervalSet, b: IntervalSet): IntervalSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const result: number[] = [];
  let [left, right] = [0, 0];
  while (left < a.length || right < b.length) {
    const takesLeft = right >= b.length || (left < a.length && at(a, left) <= at(b, right));
    const [from, until] = takesLeft ? [at(a, left), at(a, left + 1)] : [at(b, right), at(b, right + 1)];
    if (takesLeft) left += 2;
    else right += 2;
    const last = result.length - 1;
    if (last > 0 && at(result, last) >= from) result[last] = Math.max(at(result, last), until);
    else result.push(from, until);
  }
  return result;
}

/** The intervals in which both hold. */
export function intersection(a: IntervalSet, b: IntervalSet): IntervalSet {
  const result: number[] = [];
  for (let left = 0, right = 0; left < a.length && right < b.length;) {
    const from = Math.max(at(a, left), at(b, right));
    const until = Math.min(at(a, left + 1), at(b, right + 1));
    if (from < until) result.push(from, until);
    if (at(a, left + 1) < at(b, right + 1)) left += 2;
    else right += 2;
  }
  return result;
}

/** The intervals in which the first holds and the second does not. */
export function difference(a: IntervalSet, b: IntervalSet): IntervalSet {
  if (b.length === 0) return a;
  return intersection(a, complement(b));
}

/** Whether both are so at the same positions. */
export const isSame = (a: IntervalSet, b: IntervalSet): boolean =>
  a.length === b.length && a.every((bound, index) => bound === b[index]);

/** The union of any intervals, in any order. */
export function unionOf(intervals: Iterable<readonly [from: number, until: number]>): IntervalSet {
  const sorted = [...intervals].filter(([from, until]) => from < until).sort(([a], [b]) => a - b);
  const result: number[] = [];
  for (const [from, until] of sorted) {
    const last = result.length - 1;
    if (last > 0 && at(result, last) >= from) result[last] = Math.max(at(result, last), until);
    else result.push(from, until);
  }
  return result;
}

/** Its intervals, in order. */
export function* intervalsOf(set: IntervalSet): Generator<readonly [from: number, until: number]> {
  for (let index = 0; index < set.length; index += 2) yield [at(set, index), at(set, index + 1)];
}

function complement(set: IntervalSet): IntervalSet {
  const result = [Number.MIN_SAFE_INTEGER, ...set, still];
  return result.slice(0, result[result.length - 2] === still ? -2 : undefined);
}

const at = (set: IntervalSet, index: number): number => set[index] as number;
