import { InvalidArgumentError } from "commander";
import { toEmail, type Email, isAddress } from "../shared/ids.js";
import { toPosition, type Position } from "../shared/position.js";

const slug = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;
const maxSlugLength = 64;
const maxEmailLength = 254;

/** spec: Naming rules. */
export function parseDatasourceName(text: string): string {
  if (text.length <= maxSlugLength && slug.test(text)) return text;
  throw new InvalidArgumentError(
    "A datasource is named in lower-case letters and digits, words joined by single underscores, such as team_wiki.",
  );
}

/** A login email, trimmed and lower-cased (spec: User). */
export function parseEmail(text: string): Email {
  const email = toEmail(text);
  if (email.length <= maxEmailLength && isAddress(email)) return email;
  throw new InvalidArgumentError("It is not an email address.");
}

/** A whole number from 1 on. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("Write a whole number from 1 on.");
}

/** A part of something: from 0 to 1. */
export function parseShare(text: string): number {
  const share = Number(text);
  if (/^(0|1|0?\.\d+|1\.0*)$/.test(text)) return share;
  throw new InvalidArgumentError("Write a part, from 0 to 1, such as 0.05.");
}

/** A position of the log, as `events` prints it. */
export function parsePosition(text: string): Position {
  if (/^\d{1,18}$/.test(text)) return toPosition(BigInt(text));
  throw new InvalidArgumentError("A position is a whole number, as the command `events` prints it.");
}

/** An absolute http or https address. */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new InvalidArgumentError("Write a whole address, such as https://search.example.com.");
}

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
