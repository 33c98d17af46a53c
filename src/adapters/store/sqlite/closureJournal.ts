import type { GroupRow, GroupRows } from "../../../../projections/groupClosure/ports.js";
import { fromBytes, sortedIndexes, toBytes, type SortedIndexes } from "../../../shared/sortedIndexes.js";

/** A group's place among the others. */
export type GroupPlace = Pick<GroupRow, "parents" | "ancestors">;

/** What one transaction changed among the groups of a datasource. */
export interface JournalEntry {
  /** Groups that are new or have a new name: their rows are right. */
  readonly named: SortedIndexes;
  /** Groups that only have another place now. Their rows are behind until the journal is folded into them. */
  readonly moved: ReadonlyMap<number, GroupPlace>;
}

/**
 * Packs an entry: how many groups were named and which, then for each moved group its index, the numbers of its parents
 * and ancestors, and these. One edge can move hundreds of groups. A hundred kilobytes in one row take a tenth of a
 * millisecond, hundreds of rows several milliseconds.
 */
export function packEntry({ named, moved }: GroupRows): Buffer {
  const length = moved.reduce(
    (sum, { parents, ancestors }) => sum + 3 + parents.length + ancestors.length,
    1 + named.length,
  );
  const packed = new Uint32Array(length);
  packed[0] = named.length;
  packed.set(
    named.map(({ index }) => index),
    1,
  );
  let at = 1 + named.length;
  for (const { index, parents, ancestors } of moved) {
    packed.set([index, parents.length, ancestors.length], at);
    packed.set(parents, at + 3);
    packed.set(ancestors, at + 3 + parents.length);
    at += 3 + parents.length + ancestors.length;
  }
  return toBytes(packed);
}

/** What {@link packEntry} packed. */
export function unpackEntry(bytes: Buffer): JournalEntry {
  const packed = fromBytes(bytes);
  const end = 1 + (packed[0] ?? 0);
  const moved = new Map<number, GroupPlace>();
  for (let at = end; at < packed.length;) {
    const [index = 0, parents = 0, ancestors = 0] = packed.subarray(at, at + 3);
    const [middle, next] = [at + 3 + parents, at + 3 + parents + ancestors];
    moved.set(index, { parents: packed.slice(at + 3, middle), ancestors: packed.slice(middle, next) });
    at = next;
  }
  return { named: sortedIndexes(packed.subarray(1, end)), moved };
}

/** Applies a further entry to the places that differ from the rows. */
export function followEntry<Place>(
  places: Map<number, Place>,
  { named, moved }: JournalEntry,
  toPlace: (place: GroupPlace) => Place,
): void {
  for (const index of named) places.delete(index);
  for (const [index, place] of moved) places.set(index, toPlace(place));
}
