import { withoutTrailing } from "./cutText.js";

/** A point in time, as exact as it was written. */
interface Instant {
  readonly epochSeconds: number;
  /** Digits after the decimal point, without trailing zeros. */
  readonly fraction: string;
}

/** A date alone has hyphens: without them it is a number. */
const form =
  /^(\d{4}-\d\d-\d\d|\d{8}(?=[Tt ]))(?:[Tt ](\d\d)(?:(:?)([0-5]\d)(?:\3([0-5]\d|60)(?:[.,](\d+))?)?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/;

/**
 * Reads an ISO 8601 date or timestamp: UTC where it names no offset, midnight where it names no time. A day may end with
 * 24:00, and a leap second is the first one after it. null where the text is no such thing, or names a day or an hour
 * that does not exist; also of dates by week or by day of the year, and of a date alone without hyphens.
 */
export function parseInstant(text: string): Instant | null {
  const parts = form.exec(text);
  if (parts === null) return null;
  const [, date, hour, , minute, second, digits = "", sign, offsetHours, offsetMinutes] = parts;
  const day = startOfDay(date as string);
  const seconds = secondsOf(hour, minute) + numberOf(second);
  const fraction = withoutTrailing(digits, "0");
  if (day === null || seconds > daySeconds || (hour === "24" && fraction !== "")) return null;
  const offset = secondsOf(offsetHours, offsetMinutes);
  const epochSeconds = day + seconds - (sign === "-" ? -offset : offset);
  // A leap second is added at the end of a day in UTC, nowhere else.
  if (second === "60" && epochSeconds % daySeconds !== 0) return null;
  return { epochSeconds, fraction };
}

const numberOf = (digits: string | undefined): number => Number(digits ?? 0);
const secondsOf = (hours: string | undefined, minutes: string | undefined): number =>
  numberOf(hours) * 3_600 + numberOf(minutes) * 60;

const daySeconds = 86_400;

/** In epoch seconds; null where there is no such day. */
function startOfDay(date: string): number | null {
  const digits = date.replaceAll("-", "");
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
  const start = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // Engines roll a day beyond its month's end over into the next month.
  return Number.isNaN(start) || new Date(start).getUTCDate() !== Number(day) ? null : start / 1_000;
}

const mostEpochSeconds = 8.64e12;

/**
 * Whether a number of seconds names a time that a date can hold (ECMAScript: 100,000,000 days on either side of 1970).
 */
export const isEpochSeconds = (seconds: number): boolean => Math.abs(seconds) <= mostEpochSeconds;

/** Epoch milliseconds, rounded down; null where {@link parseInstant} answers null. */
export function epochMilliseconds(text: string): number | null {
  const instant = parseInstant(text);
  return instant === null ? null : instant.epochSeconds * 1_000 + Number(instant.fraction.padEnd(3, "0").slice(0, 3));
}

/** True where both texts name the same point in time, however they are written. False where either names none. */
export function isSameInstant(a: string, b: string): boolean {
  const [left, right] = [parseInstant(a), parseInstant(b)];
  return (
    left !== null && right !== null && left.epochSeconds === right.epochSeconds && left.fraction === right.fraction
  );
}
