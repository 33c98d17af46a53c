import type { RecordedEvent } from "../../events/domainEvent.js";
import type { Position, Revision } from "../../shared/position.js";

/** Which event of a stream it was. */
export interface Origin {
  readonly revision: Revision;
  readonly position: Position;
}

/** For how long something was so: from one event on, until another, which does not belong to it any more. */
export interface Interval {
  readonly opened: Origin;
  closed: Origin | null;
}

/** When something was so, in order. */
export type Timeline<Of extends Interval = Interval> = Of[];

/** Where an event stands. */
export const originOf = ({ revision, position }: RecordedEvent): Origin => ({ revision, position });

/** The interval that holds at a position: opened by then, and not closed. */
export function openAt<Of extends Interval>(timeline: Timeline<Of> | undefined, position: Position): Of | null {
  return (
    timeline?.findLast(
      ({ opened, closed }) => opened.position <= position && (closed === null || closed.position > position),
    ) ?? null
  );
}

/** The newest interval that had ended by a position. */
export function endedBy<Of extends Interval>(
  timeline: Timeline<Of> | undefined,
  position: Position,
): (Of & { readonly closed: Origin }) | null {
  const ended = timeline?.findLast(({ closed }) => closed !== null && closed.position <= position);
  return (ended as (Of & { readonly closed: Origin }) | undefined) ?? null;
}

/** Opens an interval unless one is open: what is said again goes on. */
export function open<Key, Of extends Interval>(timelines: Map<Key, Timeline<Of>>, key: Key, interval: Of): void {
  const timeline = timelines.get(key);
  if (timeline === undefined) timelines.set(key, [interval]);
  else if (timeline.at(-1)?.closed !== null) timeline.push(interval);
}

/** Closes the interval that is open; nothing where none is. */
export function close(timeline: Timeline | undefined, closed: Origin): void {
  const last = timeline?.at(-1);
  if (last !== undefined && last.closed === null) last.closed = closed;
}
