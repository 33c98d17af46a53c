import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamName } from "../../events/streams.js";
import type { Position, Revision } from "../../shared/position.js";

/** Which event of which stream it was. */
export interface Origin {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
}

/** From one event on something was so, until another, which does not belong to the interval any more. */
export interface Interval {
  readonly opened: Origin;
  closed: Origin | null;
}

/** When something was so, in order. */
export type Intervals<Of extends Interval = Interval> = Of[];

/** Where an event stands. */
export const originOf = ({ stream, revision, position }: RecordedEvent): Origin => ({ stream, revision, position });

/** The interval that holds at a position: opened by then, and not closed. */
export function openAt<Of extends Interval>(intervals: Intervals<Of> | undefined, position: Position): Of | null {
  return (
    intervals?.findLast(
      ({ opened, closed }) => opened.position <= position && (closed === null || closed.position > position),
    ) ?? null
  );
}

/** The interval that is open after everything that has been told. */
export function openNow<Of extends Interval>(intervals: Intervals<Of>): Of | null {
  const last = intervals.at(-1);
  return last?.closed === null ? last : null;
}

/** The newest interval that had ended by a position. */
export function endedBy<Of extends Interval>(
  intervals: Intervals<Of> | undefined,
  position: Position,
): (Of & { readonly closed: Origin }) | null {
  const ended = intervals?.findLast(({ closed }) => closed !== null && closed.position <= position);
  return (ended as (Of & { readonly closed: Origin }) | undefined) ?? null;
}

/** Opens an interval unless one is open: what is said again goes on. */
export function open<Of extends Interval>(intervals: Intervals<Of>, interval: Of): void {
  if (openNow(intervals) === null) intervals.push(interval);
}

/** Opens an interval of a key unless one is open. */
export function openOf<Key, Of extends Interval>(byKey: Map<Key, Intervals<Of>>, key: Key, interval: Of): void {
  const intervals = byKey.get(key);
  if (intervals === undefined) byKey.set(key, [interval]);
  else open(intervals, interval);
}

/** Closes the interval that is open; nothing where none is. */
export function close(intervals: Intervals | undefined, closed: Origin): void {
  const last = openNow(intervals ?? []);
  if (last !== null) last.closed = closed;
}
