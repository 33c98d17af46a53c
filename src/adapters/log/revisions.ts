import type { BrowseRequest } from "../../events/eventSelection.js";
import { toPosition, type Position } from "../../shared/position.js";

/**
 * The first revision of a stream whose event stands behind a position: `count` where none does. Positions rise with
 * revisions, so some twenty looks are enough.
 */
async function firstRevisionBehind(
  position: Position,
  count: number,
  positionOf: (revision: number) => Position | Promise<Position>,
): Promise<number> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await positionOf(middle)) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Forwards the first revision that is looked at, backwards the one behind it. */
export async function firstRevision(
  start: BrowseRequest["start"],
  order: BrowseRequest["order"],
  count: number,
  positionOf: (revision: number) => Position | Promise<Position>,
): Promise<number> {
  if (start === null) return order === "forwards" ? 0 : count;
  const isBehind = (order === "forwards") !== start.inclusive;
  const position = isBehind ? start.position : toPosition(start.position - 1n);
  return firstRevisionBehind(position, count, positionOf);
}

/** The revisions of a stream that are looked through, before the next, in either direction. */
export function* revisionStretches(
  { order, from, count }: { readonly order: "forwards" | "backwards"; readonly from: number; readonly count: number },
  size: number,
): Generator<{ readonly from: number; readonly to: number }, void, void> {
  if (order === "forwards")
    for (let at = from; at < count; at += size) yield { from: at, to: Math.min(count, at + size) };
  else for (let at = from; at > 0; at -= size) yield { from: Math.max(0, at - size), to: at };
}
