import { InvalidArgumentError } from "commander";

/** An ISO instant in UTC as people read it in a column that says so. */
export const toUtc = (instant: string): string => instant.replace("T", " ").replace("Z", "");

const form = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads `--expires`: a day (midnight UTC) or an instant with its time zone, in the future. Answers with an ISO instant.
 */
export function parseExpiry(text: string): string {
  const [, year, month, day] = form.exec(text) ?? [];
  const instant = new Date(text);
  const exists =
    year !== undefined && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (!exists || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError("Write a day, 2030-01-31, or an instant with its time zone, 2030-01-31T18:00:00Z.");
  }
  if (instant.getTime() <= Date.now()) throw new InvalidArgumentError("It lies in the past.");
  return instant.toISOString();
}
