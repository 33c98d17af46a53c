import { beginningOf } from "../../../shared/texts.js";
import { tellingTitle } from "../../../shared/titles.js";

/** Longer ones are no titles. */
const mostCharacters = 1_024;

/** A title or a name as one line; undefined where there is none. */
export function oneLine(text: string | null | undefined): string | undefined {
  const line = (text ?? "")
    .replace(/[\0\p{Surrogate}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? undefined : beginningOf(line, mostCharacters);
}

/** The first of these that is a title; undefined where none is. Each is looked for only where it is wanted. */
export function titleOf(
  ...said: readonly (string | null | undefined | (() => string | undefined))[]
): string | undefined {
  for (const each of said) {
    const title = tellingTitle(oneLine(typeof each === "function" ? each() : each) ?? "");
    if (title !== undefined) return title;
  }
  return undefined;
}

/** An instant as ISO 8601; undefined where it is none, or one that no file can have. */
export function instantOf(said: string | null | undefined): string | undefined {
  if (said === null || said === undefined || said.trim() === "") return undefined;
  // A time without a zone is taken as UTC, so that every machine reads the same.
  const isLocal = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(said.trim());
  const instant = new Date(isLocal ? `${said.trim()}Z` : said);
  const year = instant.getUTCFullYear();
  return year >= 1900 && year < 10_000 ? instant.toISOString() : undefined;
}

/** `de` of `de-AT`; undefined where it is no such code. */
export function languageCode(said: string | null | undefined): string | undefined {
  return /^\s*([a-z]{2})(?:[-_][\w-]+)?\s*$/i.exec(said ?? "")?.[1]?.toLowerCase();
}
