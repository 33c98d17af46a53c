import { parseBase36, toPosition, type Position } from "./position.js";

/** Where a page of an answer begins: the moment that the answer is about, and the number of items before the page. */
export interface PageToken {
  readonly position: Position;
  /**
   * The moment's time in epoch milliseconds, which all pages tell alike; null for a position before the first event.
   */
  readonly time: number | null;
  readonly offset: number;
  /** Where an answer is several lists in a row: which of them, from 0. */
  readonly list: number;
}

const form = /^n1-([0-9a-z]{1,13})-([0-9a-z]{1,9})-(_|~?[0-9a-z]{1,11})(?:-([1-9]))?$/;

/** The opaque value of `next`. */
export const formatPageToken = ({ position, offset, time, list }: PageToken): string =>
  `n1-${position.toString(36)}-${offset.toString(36)}-${formatTime(time)}${list === 0 ? "" : `-${list}`}`;

/** Reads the value of `next`; null where it is not one of ours. */
export function parsePageToken(text: string): PageToken | null {
  const [, position, offset, time, list = "0"] = form.exec(text) ?? [];
  if (position === undefined || offset === undefined || time === undefined) return null;
  return {
    position: toPosition(parseBase36(position)),
    offset: Number(parseBase36(offset)),
    time: parseTime(time),
    list: Number(list),
  };
}

function formatTime(time: number | null): string {
  if (time === null) return "_";
  return time < 0 ? `~${(-time).toString(36)}` : time.toString(36);
}

function parseTime(text: string): number | null {
  if (text === "_") return null;
  return text.startsWith("~") ? -Number(parseBase36(text.slice(1))) : Number(parseBase36(text));
}
