import { withoutTrailing } from "./texts.js";

/** A point in time, as exact as it was written. */
interface Instant {
  readonly epochSeconds: number;
  /** Digits after the decimal point, without trailing zeros. */
  readonly fraction: string;
}

/** A day of a month, of a week or of a year, a month, a week or a year; with hyphens or without. */
const dateForm = /^(\d{4})(?:(-?)(\d\d)\2(\d\d)|-(\d\d)|(-?)[Ww](\d\d)(?:\6([1-7]))?|-?(\d{3}))?$/;
/** Decimals are of what stands before them: hours, minutes or seconds. */
const timeForm =
  /^(\d\d)(?:(:?)([0-5]\d)(?:\2([0-5]\d|60))?)?(?:[.,](\d{1,30}))?(?:[Zz]|([+\-\u2212])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/;
/** Longer texts name no instant: bounds the decimals. */
const longestInstant = 64;

/**
 * Reads an ISO 8601 date or timestamp: UTC where it names no offset, its first moment where it names no time, a month,
 * a week or a year. A day may end with 24:00, and a leap second is the first one after it. null where the text is no
 * such thing, or names a day or an hour that does not exist.
 */
export function parseInstant(text: string): Instant | null {
  if (text.length > longestInstant) return null;
  const at = text.search(/[Tt ]/);
  const date = startOf(at < 0 ? text : text.slice(0, at));
  if (date === null || at < 0) return date && { epochSeconds: date.epochSeconds, fraction: "" };
  return date.isDay ? atTime(date.epochSeconds, text.slice(at + 1)) : null;
}

/** A time of the day that begins then. */
function atTime(startOfDate: number, text: string): Instant | null {
  const parts = timeForm.exec(text);
  if (parts === null) return null;
  const [, hour, , minute, second, digits = "", sign, offsetHours, offsetMinutes] = parts;
  const decimals = decimalsOf(digits, lastUnitOf(minute, second));
  const seconds = secondsOf(hour, minute) + numberOf(second) + decimals.seconds;
  if (seconds > daySeconds || (hour === "24" && decimals.fraction !== "")) return null;
  const offset = secondsOf(offsetHours, offsetMinutes);
  const epochSeconds = startOfDate + seconds - (sign === "+" ? offset : -offset);
  // A leap second is added at the end of a day in UTC, nowhere else.
  if (second === "60" && epochSeconds % daySeconds !== 0) return null;
  return { epochSeconds, fraction: decimals.fraction };
}

const lastUnitOf = (minute: string | undefined, second: string | undefined): number => {
  if (second !== undefined) return 1;
  return minute === undefined ? 3_600 : 60;
};

/** Decimals of a unit of so many seconds, exactly: whole seconds, and digits of the next. */
function decimalsOf(digits: string, unit: number): { readonly seconds: number; readonly fraction: string } {
  const scale = 10n ** BigInt(digits.length);
  const total = BigInt(digits || 0) * BigInt(unit);
  const rest = (total % scale).toString().padStart(digits.length, "0");
  return { seconds: Number(total / scale), fraction: digits === "" ? "" : withoutTrailing(rest, "0") };
}

const numberOf = (digits: string | undefined): number => Number(digits ?? 0);
const secondsOf = (hours: string | undefined, minutes: string | undefined): number =>
  numberOf(hours) * 3_600 + numberOf(minutes) * 60;

const daySeconds = 86_400;

/** The first moment of a date, and whether that is a day. null where it is no date, or none that exists. */
function startOf(date: string): { readonly epochSeconds: number; readonly isDay: boolean } | null {
  const parts = dateForm.exec(date);
  if (parts === null) return null;
  const [, year = "", , month, day, monthAlone = "01", , week, weekday, dayOfYear] = parts;
  const find = (): number | null => {
    if (week !== undefined) return startOfWeekDay(year, Number(week), Number(weekday ?? 1));
    if (dayOfYear !== undefined) return startOfDayOfYear(year, Number(dayOfYear));
    return startOfDay(year, month ?? monthAlone, day ?? "01");
  };
  const epochSeconds = find();
  return epochSeconds === null ? null : { epochSeconds, isDay: (day ?? weekday ?? dayOfYear) !== undefined };
}

/** In epoch seconds; null where there is no such day. */
function startOfDay(year: string, month: string, day: string): number | null {
  const start = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // Engines roll a day beyond its month's end over into the next month.
  return Number.isNaN(start) || new Date(start).getUTCDate() !== Number(day) ? null : start / 1_000;
}

const isInYear = (epochSeconds: number, year: string): boolean =>
  new Date(epochSeconds * 1_000).getUTCFullYear() === Number(year);

function startOfDayOfYear(year: string, dayOfYear: number): number | null {
  const start = (startOfDay(year, "01", "01") ?? 0) + (dayOfYear - 1) * daySeconds;
  return dayOfYear > 0 && isInYear(start, year) ? start : null;
}

/** The first week of a year is the one with its first Thursday, and begins on Monday. */
function startOfWeekDay(year: string, week: number, weekday: number): number | null {
  const fourth = startOfDay(year, "01", "04") ?? 0;
  const monday = fourth - ((new Date(fourth * 1_000).getUTCDay() + 6) % 7) * daySeconds;
  const start = monday + (week - 1) * 7 * daySeconds;
  const isOfYear = week > 0 && isInYear(start + 3 * daySeconds, year);
  return isOfYear ? start + (weekday - 1) * daySeconds : null;
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

/** The same in one form, RFC 3339 in UTC with milliseconds; a text that names no instant as it is. */
export function inUtc(text: string): string {
  const time = epochMilliseconds(text);
  return time === null || Math.abs(time) > mostEpochSeconds * 1_000 ? text : new Date(time).toISOString();
}

/** True where both texts name the same point in time, however they are written. False where either names none. */
export function isSameInstant(a: string, b: string): boolean {
  const [left, right] = [parseInstant(a), parseInstant(b)];
  return (
    left !== null && right !== null && left.epochSeconds === right.epochSeconds && left.fraction === right.fraction
  );
}
