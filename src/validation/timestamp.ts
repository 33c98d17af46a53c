const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;
const exactPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an ISO 8601 date or timestamp and answers with the same instant in a form that every reader takes alike: with
 * `T`, seconds and an offset (UTC where none was given). Undefined for anything else and for days and hours that do not
 * exist.
 */
export function normalizeTimestamp(text: string): string | undefined {
  const parts = isoPattern.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => part ?? "00");
  const [fraction, , sign, offsetHour, offsetMinute] = parts.slice(7);
  if (!dayExists(Number(year), Number(month), Number(day))) return undefined;
  const hoursExist = [hour, offsetHour].every((part) => Number(part ?? 0) < 24);
  const minutesExist = [minute, second, offsetMinute].every((part) => Number(part ?? 0) < 60);
  if (!hoursExist || !minutesExist) return undefined;
  const offset = sign === undefined ? "Z" : `${sign}${offsetHour}:${offsetMinute}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction ?? ""}${offset}`;
}

/** Epoch milliseconds of `YYYY-MM-DDThh:mm:ss.sssZ`, the only form that search takes; undefined for anything else. */
export function parseExactInstant(text: string): number | undefined {
  const normalized = exactPattern.test(text) ? normalizeTimestamp(text) : undefined;
  return normalized === undefined ? undefined : Date.parse(normalized);
}

function dayExists(year: number, month: number, day: number): boolean {
  if (day < 1 || day > (daysInMonth[month - 1] ?? 0)) return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month !== 2 || day < 29 || isLeapYear;
}
