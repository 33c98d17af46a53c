/** A point in time, as exact as it was written. */
interface Instant {
  readonly epochSeconds: number;
  /** Digits after the decimal point, without trailing zeros. */
  readonly fraction: string;
}

const form =
  /^(\d{4}-\d\d-(\d\d))(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/;

/**
 * Reads an ISO 8601 date or timestamp: UTC where it names no offset, midnight where it names no time. null where the
 * text is no such thing, or names a day or an hour that does not exist.
 */
export function parseInstant(text: string): Instant | null {
  const parts = form.exec(text);
  if (parts === null) return null;
  const [
    ,
    date = "",
    day,
    hour = "00",
    minute = "00",
    second = "00",
    fraction = "",
    sign,
    offsetHours = "0",
    offsetMinutes = "0",
  ] = parts;
  const local = Date.parse(`${date}T${hour}:${minute}:${second}Z`);
  // Engines roll a day beyond its month's end over into the next month.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60 : 60);
  return { epochSeconds: local / 1_000 - offset, fraction: fraction.replace(/0+$/, "") };
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
