import { InvalidArgumentError } from "commander";
import { toEmail, type Email } from "../shared/ids.js";

const slug = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;
const maxSlugLength = 64;
const maxEmailLength = 254;

/** spec: Naming rules. */
export function parseDatasourceName(text: string): string {
  if (text.length <= maxSlugLength && slug.test(text)) return text;
  throw new InvalidArgumentError("A datasource is named in lower-case letters and digits, words joined by single underscores, such as team_wiki.");
}

/** A login email, trimmed and lower-cased (spec: User). */
export function parseEmail(text: string): Email {
  const email = toEmail(text);
  if (email.length <= maxEmailLength && /^\S+@\S+$/.test(email)) return email;
  throw new InvalidArgumentError("It is not an email address.");
}

/** A whole number from 1 on. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("Write a whole number from 1 on.");
}

/** An absolute http or https address. */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new InvalidArgumentError("Write a whole address, such as https://search.example.com.");
}
