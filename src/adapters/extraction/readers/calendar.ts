import { TextBuilder } from "../textBuilder.js";
import { contentLines, unescapedText, type ContentLine } from "./contentLines.js";
import { oneLine } from "./factValues.js";
import { decoded } from "./plainText.js";
import type { Reader } from "./reader.js";

/** Calendars: each event or task with what it is, when, where, and who takes part. */
export const calendar: Reader = {
  async read(file, { maxCharacters }) {
    const text = new TextBuilder(maxCharacters);
    const open: string[] = [];
    let title: string | undefined;
    for (const line of contentLines(await decoded(file, null))) {
      if (text.isFull) break;
      if (line.name === "BEGIN") open.push(line.value.trim().toUpperCase());
      if (line.name === "END") open.pop();
      if (open.some((component) => unread.has(component))) continue;
      addProperty(text, line);
      if (line.name === "SUMMARY") title ??= unescapedText(line.value);
    }
    return { text: text.toString(), facts: { title: oneLine(title) } };
  },
};

/** Definitions of time zones, and reminders: they repeat what is to be said. */
const unread: ReadonlySet<string> = new Set(["VTIMEZONE", "VALARM"]);

const texts: ReadonlySet<string> = new Set([
  ...["SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT", "CATEGORIES", "RESOURCES", "URL", "X-WR-CALNAME"],
  "X-WR-CALDESC",
]);
const times: ReadonlySet<string> = new Set(["DTSTART", "DTEND", "DUE", "COMPLETED"]);
const people: ReadonlySet<string> = new Set(["ORGANIZER", "ATTENDEE"]);

function addProperty(text: TextBuilder, line: ContentLine): void {
  if (texts.has(line.name)) text.addLines(unescapedText(line.value));
  else if (times.has(line.name)) text.addLines(timeOf(line.value));
  else if (people.has(line.name)) text.addLines(personOf(line));
}

/** `20260301T090000Z` as people write it. */
function timeOf(value: string): string {
  const time = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2}))?/.exec(value.trim());
  if (time === null) return "";
  const [, year, month, day, hour, minute] = time;
  return `${year}-${month}-${day}${hour === undefined ? "" : ` ${hour}:${minute}`}`;
}

function personOf({ parameters, value }: ContentLine): string {
  const address = value.trim().replace(/^mailto:/i, "");
  const name = parameters.get("CN") ?? "";
  return name === "" || name === address ? address : `${name} <${address}>`;
}
